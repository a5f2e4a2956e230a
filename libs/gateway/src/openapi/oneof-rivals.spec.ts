import type { JsonSchema } from '@apix/proto/internal';
import { describe, expect, it } from '@jest/globals';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { compileServices } from '../rules/compile-services.js';
import type { HttpRuleInit } from '../rules/extra-rules.js';
import { buildOpenApi } from './build-document.js';
import type { Operation } from './document.js';

const protos = transcodingRegistry();

function operationOf(selector: string, rule: Omit<HttpRuleInit, 'selector'>): Operation {
  const { bindings } = compileServices(protos.services, [{ selector, ...rule }]);
  const method = rule.get === undefined ? 'post' : 'get';
  const { paths } = buildOpenApi({ protos, bindings, prefix: '', transcoding: {} });
  return paths[rule[method]!]![method]!;
}

const QUERY = 'transcoding.v1.EchoService.Query';
const UPDATE = 'transcoding.v1.EchoService.Update';

/** The query parameters of the oneof and below it. */
const parametersOf = ({ parameters = [] }: Operation): string[] =>
  parameters
    .filter(({ name, in: place }) => place === 'query' && name.includes('choice'))
    .map(({ name }) => name);

/** The schema and the example of a body. */
const bodyOf = ({ requestBody }: Operation): { schema: JsonSchema; example: JsonSchema } =>
  (requestBody as { content: Record<string, never> }).content['application/json']!;

const choicesIn = (members: unknown): string[] =>
  Object.keys(members as object).filter((name) => name.includes('hoice'));

describe('the document of a rule that sets a member of a oneof', () => {
  it.each<[string, string, Omit<HttpRuleInit, 'selector'>, readonly string[]]>([
    [
      'but all where none is set',
      QUERY,
      { get: '/v1/a' },
      [
        'choiceStr',
        'choiceI32',
        'choiceNested.str',
        'choiceNested.i64',
        'choiceNested.strs',
        'choiceValue',
      ],
    ],
    ['in the path', QUERY, { get: '/v1/a/{choiceStr}' }, []],
    ['in the body', QUERY, { post: '/v1/a', body: 'choice_i32' }, []],
    [
      'in a message inside it',
      QUERY,
      { get: '/v1/a/{choiceNested.str}' },
      ['choiceNested.i64', 'choiceNested.strs'],
    ],
    ['in the oneof of a message inside', UPDATE, { get: '/v1/a/{item.choiceStr}' }, []],
  ])('has no other member of it as a query parameter: %s', (_, selector, rule, others) => {
    expect(parametersOf(operationOf(selector, rule))).toEqual(others);
  });

  it('has no member of it in a whole body', () => {
    const { schema, example } = bodyOf(
      operationOf(QUERY, { post: '/v1/a/{choiceStr}', body: '*' }),
    );
    expect([choicesIn(schema['properties']), choicesIn(example)]).toEqual([[], []]);
    expect(schema['properties']).toHaveProperty('i32');
  });

  it('has the member alone in a whole body that the path sets a field of', () => {
    const { schema, example } = bodyOf(
      operationOf(QUERY, { post: '/v1/a/{choiceNested.str}', body: '*' }),
    );
    expect([choicesIn(schema['properties']), choicesIn(example)]).toEqual([
      ['choiceNested'],
      ['choiceNested'],
    ]);
  });

  it.each([
    ['of a whole body', '*', (members: unknown) => (members as { item: unknown }).item],
    ['which is the body', 'item', (members: unknown) => members],
  ])('has no other member of it in a message %s', (_, body, inside) => {
    const { schema, example } = bodyOf(
      operationOf(UPDATE, { post: '/v1/a/{item.choiceStr}', body }),
    );
    const properties = body === '*' ? schema['properties'] : { item: schema };
    const item = (properties as { item: JsonSchema }).item;
    expect(choicesIn(item['properties'])).toEqual(['choiceStr']);
    expect(item['properties']).toHaveProperty('i32');
    expect(choicesIn(inside(example))).toEqual([]);
  });
});
