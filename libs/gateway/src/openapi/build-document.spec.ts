import { readFileSync } from 'node:fs';
import { POLICY_SOURCE, type PolicySource } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { compileServices } from '../rules/compile-services.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { type OpenApiOptions, type OpenApiSource, buildOpenApi } from './build-document.js';
import type { OpenApiDocument, Operation } from './document.js';

const protos = transcodingRegistry();
const { bindings } = compileServices(protos.services);
const source: OpenApiSource = { protos, bindings, prefix: '', transcoding: {} };
const shop = ProtoRegistry.load(
  new Uint8Array(readFileSync(new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url))),
);
const shopSource: OpenApiSource = {
  protos: shop,
  bindings: compileServices(shop.services).bindings,
  prefix: '',
  transcoding: {},
};
const policies: PolicySource = {
  [POLICY_SOURCE]: true,
  policyOf: (name) => ({ kind: name.endsWith('/Query') ? 'protected' : 'public' }),
};
const others = {
  protocols: new Set(['rest', 'connect', 'grpc-web', 'grpc']),
  methods: [...shop.methods.values()].filter(({ name }) => name !== 'List'),
  pathOf: (name: string) => `/api${name}`,
};
const json = { protoNames: true, enumsAsNumbers: true };
const document = buildOpenApi(source, { info: { title: 'Echo', version: '1.2.3' } });
const schemas = document.components.schemas;
const everything = schemas['transcoding.v1.Everything']?.['properties'] as Record<string, unknown>;

describe('buildOpenApi', () => {
  it.each<[string, OpenApiSource, OpenApiOptions]>([
    ['every rule and type', source, {}],
    ['constraints', shopSource, {}],
    ['names and enums by option', { ...source, transcoding: { json } }, {}],
    ['google.rpc.Status', { ...source, transcoding: { errors: 'status' } }, {}],
    ['samples of code', { ...shopSource, others }, {}],
    ['policies', { ...source, policies }, { info: { title: 'T', version: '1' } }],
    ['a prefix and servers', { ...source, prefix: '/api' }, { servers: [{ url: '/' }] }],
  ])('makes a document by the OpenAPI 3.1 schema: %s', async (_what, made, options) => {
    const validator = new Validator();
    const copy = JSON.parse(JSON.stringify(buildOpenApi(made, options))) as Record<string, unknown>;
    expect(await validator.validate(copy)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('spells out variables of several segments', () => {
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/path/one/{str}',
        '/v1/path/one/me',
        '/v1/path/shelves/{shelf}',
        '/v1/path/shelves/{shelf}/books/{book}',
        '/v1/path/rest/{str}',
        '/v1/path/{nested.nested.str}/deep',
        '/v1/path/verbs/{str}:cancel',
      ]),
    );
  });

  it('describes methods that share a path in one path item', () => {
    expect(Object.keys(document.paths['/v1/path/one/{str}'] ?? {})).toEqual(['get', 'delete']);
  });

  it('leaves out what OpenAPI has no word for', () => {
    expect(document.paths).not.toHaveProperty(['/v1/path/custom']);
    expect(document.paths).not.toHaveProperty(['/v1/chat']);
  });

  it('numbers the operation ids of additional bindings', () => {
    expect(document.paths['/v1/query']?.['get']?.operationId).toBe('EchoService_Query');
    expect(document.paths['/v1/path/one/me']?.['get']?.operationId).toBe('EchoService_Path_2');
  });

  it('has comments as summaries and descriptions', () => {
    expect(document.paths['/v1/query']?.['get']?.summary).toBe('Everything from the query.');
    expect(schemas['transcoding.v1.Nested']?.['description']).toBe('A message inside.');
    expect(document.tags[0]).toMatchObject({ name: 'EchoService' });
  });

  it.each([
    ['str', { type: 'string' }],
    ['i64', { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' }],
    ['u32', { type: 'integer', minimum: 0, maximum: 4_294_967_295 }],
    ['data', { type: 'string', contentEncoding: 'base64' }],
    ['color', { $ref: '#/components/schemas/transcoding.v1.Color' }],
    ['nested', { $ref: '#/components/schemas/transcoding.v1.Nested' }],
    ['strs', { type: 'array', items: { type: 'string' } }],
    ['labels', { type: 'object', additionalProperties: { type: 'string' } }],
    ['timestamp', { type: 'string', format: 'date-time' }],
    ['strValue', { type: ['string', 'null'] }],
    ['value', {}],
    ['otherName', { type: 'string' }],
    ['f32', { type: 'number', format: 'float' }],
    ['f64', { type: 'number', format: 'double' }],
  ])('describes the field %s by its ProtoJSON', (name, schema) => {
    expect(everything[name]).toEqual(schema);
  });

  it('takes required and read-only from field_behavior', () => {
    expect(schemas['transcoding.v1.UpdateRequest']?.['required']).toEqual(['item']);
  });

  it('describes what a path holds by its field, and as a text where it is a part of one', () => {
    const schemasIn = (path: string) =>
      document.paths[path]?.['get']?.parameters
        ?.filter((each) => each.in === 'path')
        .map(({ name, schema }) => [name, schema]);
    expect(schemasIn('/v1/path/typed/{i32}/{u64}/{bool}/{color}')).toEqual([
      ['i32', everything['i32']],
      ['u64', everything['u64']],
      ['bool', { type: 'boolean' }],
      ['color', everything['color']],
    ]);
    expect(schemasIn('/v1/path/shelves/{shelf}')).toEqual([['shelf', { type: 'string' }]]);
  });

  it('lists query parameters, nested ones with their path, without what path and body bind', () => {
    const names = (path: string, method: string) =>
      document.paths[path]?.[method]?.parameters?.map(({ name, in: place }) => `${place} ${name}`);
    expect(names('/v1/query', 'get')).toEqual(
      expect.arrayContaining(['query str', 'query nested.str', 'query strs', 'query otherName']),
    );
    expect(names('/v1/whole', 'post')).toBeUndefined();
    expect(names('/v1/parts/{str}/nested', 'post')?.slice(0, 2)).toEqual([
      'path str',
      'query bool',
    ]);
    expect(names('/v1/parts/{str}/nested', 'post')).not.toContain('query nested.str');
  });

  it('leaves what the path binds out of a whole body', () => {
    const body = document.paths['/v1/whole/{str}']?.['put']?.requestBody;
    expect(body).toMatchObject({
      content: { 'application/json': { schema: { properties: { i32: {} } }, example: { i32: 1 } } },
    });
    expect(body).not.toHaveProperty(['content', 'application/json', 'schema', 'properties', 'str']);
    expect(body).not.toHaveProperty(['content', 'application/json', 'example', 'str']);
  });

  it('describes streams as lines and as events', () => {
    const ok = document.paths['/v1/count']?.['get']?.responses['200'];
    expect(Object.keys(ok?.['content'] as object)).toEqual([
      'application/x-ndjson',
      'text/event-stream',
    ]);
  });

  it('takes security, 401 and 403 from the policies', () => {
    const secured = buildOpenApi({ ...source, policies });
    const query = secured.paths['/v1/query']?.['get'];
    expect(query?.security).toEqual([{ bearer: [] }]);
    expect(Object.keys(query?.responses ?? {})).toEqual(['200', '401', '403', 'default']);
    expect(secured.paths['/v1/fail']?.['get']?.security).toBeUndefined();
    expect(secured.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
    });
  });

  it('refers only to schemas that are there', () => {
    const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)];
    const missing = references.filter(([, name]) => !(String(name) in schemas));
    expect(references.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('has a title and a version where none are given, without which it would not be valid', () => {
    const none = { ...source, bindings: [] };
    expect(buildOpenApi(none).info).toEqual({ title: 'API', version: '0.0.0' });
    const description =
      "What the gateway's tests call: a server that echoes, with an HTTP rule of every shape.";
    expect(buildOpenApi(source).info).toEqual({
      title: 'transcoding.v1',
      version: '0.0.0',
      description,
    });
    expect(buildOpenApi(source, { info: { title: 'Echo' } }).info).toEqual({
      title: 'Echo',
      version: '0.0.0',
      description,
    });
  });

  it('has protovalidate constraints as schema keywords', () => {
    const text = JSON.stringify(buildOpenApi(shopSource));
    expect(text).toMatch(/"(?:minLength|minimum|exclusiveMinimum|minItems|pattern)":/);
  });

  it('says in words who may call a method, if it is given a report', () => {
    const report = { methods: () => [{ method: '/shop.v1.Catalog/List', who: 'public' }] };
    const told = operationsOf(buildOpenApi({ ...shopSource, policies, report }));
    const who = told.map((one) => [one.operationId, one['x-who-may-call']]);
    expect(who).toContainEqual(['Catalog_List', 'public']);
    expect(who).toContainEqual(['Catalog_GetStock', undefined]);
    const untold = operationsOf(buildOpenApi({ ...shopSource, policies }));
    expect(untold.filter((one) => 'x-who-may-call' in one)).toEqual([]);
  });

  it('says by which other protocols a method can be called', () => {
    const told = operationsOf(buildOpenApi({ ...shopSource, others }));
    const descriptionOf = (id: string) =>
      told.find(({ operationId }) => operationId === id)!.description;
    expect(descriptionOf('Catalog_GetStock')).toContain(
      'Also served at `/api/shop.v1.Catalog/GetStock` by connect, grpc-web, grpc.',
    );
    expect(descriptionOf('Catalog_List')).not.toContain('Also served');
  });

  it.each([
    [['rest'], []],
    [['rest', 'grpc'], ['grpcurl']],
    [['grpc-web'], ['connect-web']],
    [
      ['connect', 'grpc'],
      ['grpcurl', 'Connect (curl)', 'connect-web'],
    ],
  ])('has samples for the protocols %j: %j', (protocols, labels) => {
    const told = operationsOf(
      buildOpenApi({ ...shopSource, others: { ...others, protocols: new Set(protocols) } }),
    );
    const samplesOf = (id: string) =>
      told.find(({ operationId }) => operationId === id)!['x-codeSamples'] ?? [];
    expect(samplesOf('Catalog_GetStock').map(({ label }) => label)).toEqual(labels);
    expect(samplesOf('Catalog_List')).toEqual([]);
  });
});

function operationsOf({ paths }: OpenApiDocument): readonly Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}
