import { describe, expect, it } from '@jest/globals';
import { CREDENTIAL } from './code-samples.js';
import { plannedCall } from './planned-call.js';
import { SegmentPaths } from './segments-plugin.js';
import type { BuiltRequest, DescribedOperation, Props, System } from './swagger-ui.js';

type Json = Readonly<Record<string, unknown>>;

interface Entered {
  readonly parameters?: Json;
  readonly body?: unknown;
  readonly accepted?: string;
}

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  login: { type: 'oauth2' },
  header: { type: 'apiKey', in: 'header', name: 'x-key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  query: { type: 'apiKey', in: 'query', name: 'a key' },
};

/** A document with one operation, and Swagger UI with what was entered; a request is built of its values as they are. */
function systemOf(operation: DescribedOperation, entered: Entered, more: Json): System {
  const document = {
    ...more,
    paths: { '/v1/{id}': { post: operation } },
    components: { securitySchemes: SCHEMES },
  };
  const at = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
    name === undefined ? value : at((value as Json | undefined)?.[name], rest);
  const built = ({ parameters, requestBody, responseContentType }: Props): BuiltRequest => ({
    url: `/v1/${JSON.stringify(parameters)}`,
    method: 'POST',
    headers: { accept: String(responseContentType) },
    body: requestBody,
  });
  return {
    specSelectors: {
      specJson: () => ({ getIn: (path: readonly string[]) => at(document, path) }),
      specResolvedSubtree: () => undefined,
      parameterValues: () => ({ toJS: () => entered.parameters ?? {} }),
      url: () => 'http://localhost/docs/shop.json',
    },
    oas3Selectors: {
      selectedServer: () => null,
      requestContentType: () => null,
      responseContentType: () => entered.accepted ?? null,
      requestBodyValue: () => entered.body ?? null,
    },
    fn: { buildRequest: built, getSampleSchema: () => '"of the schema"', opId: () => 'id' },
  } as unknown as System;
}

function planOf(operation: DescribedOperation, entered: Entered = {}, more: Json = {}) {
  const system = systemOf(operation, entered, more);
  return plannedCall(system, new SegmentPaths(), '/v1/{id}', 'post');
}

const bodyOf = (type: string, content: object): DescribedOperation => ({
  requestBody: { content: { [type]: content } },
});

describe('the call of an operation', () => {
  it.each<[string, DescribedOperation, Entered, string]>([
    [
      'the example',
      { parameters: [{ name: 'id', in: 'path', required: true, example: 7 }] },
      {},
      '{"path.id":7}',
    ],
    [
      'the default',
      { parameters: [{ name: 'id', in: 'path', required: true, schema: { default: 'x' } }] },
      {},
      '{"path.id":"x"}',
    ],
    [
      'the name',
      { parameters: [{ name: 'id', in: 'path', required: true }] },
      {},
      '{"path.id":"id"}',
    ],
    [
      'nothing that may be left out',
      { parameters: [{ name: 'q', in: 'query', example: 7 }] },
      {},
      '{}',
    ],
    [
      'what was entered',
      { parameters: [{ name: 'id', in: 'path', required: true, example: 7 }] },
      { parameters: { 'path.id': 8, 'query.q': undefined } },
      '{"path.id":8}',
    ],
  ])('has for a parameter %s', (_what, operation, entered, expected) => {
    expect(planOf(operation, entered)?.url).toBe(`/v1/${expected}`);
  });

  it.each<[string, DescribedOperation, Entered, string | undefined]>([
    ['the example', bodyOf('application/json', { example: { a: 1 } }), {}, '{\n  "a": 1\n}'],
    ['a sample of the schema', bodyOf('application/json', { schema: {} }), {}, '"of the schema"'],
    [
      'what was entered',
      bodyOf('application/json', { example: {} }),
      { body: '{"b":2}' },
      '{"b":2}',
    ],
    ['nothing where there is none', {}, {}, undefined],
  ])('has as its body %s', (_what, operation, entered, expected) => {
    expect(planOf(operation, entered)).toEqual(expect.objectContaining({ method: 'POST' }));
    expect(planOf(operation, entered)?.body).toBe(expected);
  });

  it.each([
    ['fields of a form', bodyOf('multipart/form-data', { schema: {} }), { body: new Map() }],
    ['bytes', bodyOf('*/*', {}), {}],
  ])('is not known if its body is %s', (_what, operation, entered) => {
    expect(planOf(operation, entered)).toBeUndefined();
  });

  it.each([
    ['application/json', undefined, 'json', undefined],
    ['text/plain', undefined, 'text', undefined],
    ['application/x-ndjson', undefined, 'stream', undefined],
    ['application/json', 'text/event-stream', 'stream', 'text/event-stream'],
  ])('of %s, chosen %s, reads its answer as %s', (type, accepted, answer, accept) => {
    const operation = { responses: { '200': { content: { [type]: {} } } } };
    const call = planOf(operation, accepted === undefined ? {} : { accepted });
    expect([call?.answer, call?.headers['accept']]).toEqual([answer, accept]);
  });

  it.each<[keyof typeof SCHEMES, string, Json]>([
    ['bearer', '/v1/{}', { Authorization: `Bearer ${CREDENTIAL}` }],
    ['basic', '/v1/{}', { Authorization: `Basic ${CREDENTIAL}` }],
    ['login', '/v1/{}', { Authorization: `Bearer ${CREDENTIAL}` }],
    ['header', '/v1/{}', { 'x-key': CREDENTIAL }],
    ['cookie', '/v1/{}', { Cookie: `sid=${CREDENTIAL}` }],
    ['query', `/v1/{}?a%20key=${CREDENTIAL}`, {}],
  ])('has a place for the credential by the scheme %s', (scheme, url, headers) => {
    const security = [{ [scheme]: [] }];
    expect(planOf({ security })).toMatchObject({ url, headers });
    expect(planOf({}, {}, { security })).toEqual(planOf({ security }));
    expect(planOf({ security: [] }, {}, { security })?.headers).toEqual({});
  });
});
