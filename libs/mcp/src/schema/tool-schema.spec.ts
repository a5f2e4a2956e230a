import { JsonCodec } from '@apix/proto/core';
import type { JsonObject } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { describe, expect, it } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { TOOLS, changedTools } from '../tools.fixture.js';
import { isWrapped, toolSchemaOf } from './tool-schema.js';

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
addFormats.default(ajv);

const schemaOf = (path: string) => toolSchemaOf(TOOLS.method(`/tools.v1.${path}`)!, TOOLS);
const { input, output } = schemaOf('Shelf/Put');
const propertiesOf = (schema: JsonObject) => schema['properties'] as Record<string, JsonObject>;
const taken = propertiesOf(input);
const written = propertiesOf(output);

const INT32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 };
const INT64 = '^(0|-?[1-9][0-9]{0,18})$';
const FLOATING = '^(NaN|-?Infinity)$';
const COLOR = { $ref: '#/$defs/tools.v1.Color' };
const THING = { $ref: '#/$defs/tools.v1.Thing' };
const SAFE = Number.MAX_SAFE_INTEGER;

describe('the schema of arguments', () => {
  it.each<[string, JsonObject]>([
    ['name', { type: ['string', 'null'], description: 'The name, such as `thing-1`.' }],
    ['count', { type: ['integer', 'null'], ...INT32 }],
    ['places', { type: ['integer', 'null'], minimum: 0, maximum: 4_294_967_295 }],
    [
      'large',
      { type: ['string', 'integer', 'null'], pattern: INT64, minimum: -SAFE, maximum: SAFE },
    ],
    ['height', { type: ['number', 'string', 'null'], pattern: FLOATING }],
    ['fragile', { type: ['boolean', 'null'] }],
    ['color', { anyOf: [COLOR, { type: 'null' }] }],
    ['colors', { type: ['array', 'null'], items: COLOR }],
    ['note', { type: ['string', 'null'] }],
    ['parts', { type: ['object', 'null'], additionalProperties: THING }],
    [
      'byTruth',
      {
        type: ['object', 'null'],
        propertyNames: { enum: ['true', 'false'] },
        additionalProperties: { type: ['number', 'string'], pattern: FLOATING },
      },
    ],
    ['age', { type: ['string', 'null'], pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$' }],
    ['mask', { type: ['string', 'null'], pattern: '^[^_]*$' }],
    ['labels', { type: ['object', 'null'] }],
    ['value', {}],
    ['list', { type: ['array', 'null'] }],
    ['empty', { type: ['object', 'null'], additionalProperties: false }],
    ['maybeText', { type: ['string', 'null'] }],
    ['truths', { type: ['array', 'null'], items: { type: 'boolean' } }],
    ['etag', { type: ['string', 'null'], description: 'Set by the shelf.', readOnly: true }],
    ['password', { type: ['string', 'null'] }],
    ['values', { type: ['array', 'null'], items: {} }],
  ])('has %s as the codec takes it', (name, schema) => {
    expect(taken[name]).toEqual(schema);
  });

  it('describes an enum by names and numbers, in one place if it is used more than once', () => {
    expect((input['$defs'] as JsonObject)['tools.v1.Color']).toEqual({
      anyOf: [
        { type: 'string', enum: ['COLOR_UNSPECIFIED', 'COLOR_RED', 'COLOR_BLUE'] },
        { type: 'integer', ...INT32 },
      ],
      description: 'What color it has.',
    });
    expect(taken['once']).toMatchObject({
      description: 'A message that only one field has.',
      properties: { level: { description: expect.stringMatching(/has\.\nLEVEL_TOP: On top\.$/) } },
    });
  });

  it('lets at most one member of a oneof be there, without a keyword that models refuse at the root', () => {
    expect(input['not']).toEqual({
      anyOf: [
        { required: ['text', 'inner'] },
        { required: ['text', 'number'] },
        { required: ['inner', 'number'] },
        { required: ['person', 'team'] },
      ],
    });
    expect(taken['person']).toEqual({
      type: 'string',
      description: 'Of the members of the oneof owner at most one is set.',
    });
    for (const keyword of ['oneOf', 'anyOf', 'allOf', '$ref'])
      expect(input).not.toHaveProperty([keyword]);
  });

  it('requires what google.api.field_behavior requires of the request', () => {
    const { input: get } = schemaOf('Shelf/Get');
    expect(get['required']).toEqual(['name']);
    expect(propertiesOf(get)['name']).toEqual({ type: 'string', description: 'Required.' });
  });

  it('has no characters that people do not see', () => {
    const odd = changedTools((file) => {
      for (const each of file.sourceCodeInfo!.location) {
        each.leadingComments = each.leadingComments.replace(/\n$/, '\u0007\u202e\u{e0041}\n');
      }
    });
    const schema = toolSchemaOf(odd.method('/tools.v1.Shelf/Put')!, odd);
    expect(schema).toEqual({ input, output });
  });
});

describe('the schema of answers', () => {
  it.each<[string, JsonObject]>([
    ['count', { type: 'integer' }],
    ['large', { type: 'string', pattern: INT64 }],
    ['height', { type: ['number', 'string'], pattern: FLOATING }],
    ['picture', { type: 'string', contentEncoding: 'base64' }],
    ['madeAt', { type: 'string', format: 'date-time' }],
    ['maybeLarge', { type: 'string', pattern: INT64 }],
    // Not every caller sees it.
    ['price', { type: 'string' }],
  ])('has %s as the codec writes it', (name, schema) => {
    expect(written[name]).toEqual(schema);
  });

  it('has no sensitive fields, and requires nothing that a caller may not see', () => {
    expect(written).not.toHaveProperty('password');
    expect(JSON.stringify(output)).not.toContain('"required":["name"');
    expect(output).not.toHaveProperty('required');
    expect(ajv.compile(output)({})).toBe(true);
  });

  it('is an object with the message where its JSON is not one', () => {
    const count = TOOLS.method('/tools.v1.Stock/Count')!;
    expect([isWrapped(count.input), isWrapped(count.output)]).toEqual([false, true]);
    expect(toolSchemaOf(count, TOOLS)).toEqual({
      input: { type: 'object', additionalProperties: false },
      output: { type: 'object', properties: { value: { type: 'string', pattern: INT64 } } },
    });
  });

  it.each(['Shelf/Put', 'Shelf/Get', 'Stock/Clear', 'Stock/Check'])('of %s compiles', (path) => {
    const schema = schemaOf(path);
    expect(() => [ajv.compile(schema.input), ajv.compile(schema.output)]).not.toThrow();
  });
});

describe('the rules of protovalidate', () => {
  const method = TOOLS.method('/tools.v1.Stock/Check')!;
  const codec = new JsonCodec(TOOLS.registry);
  const validator = createValidator({ registry: TOOLS.registry });
  const schema = toolSchemaOf(method, TOOLS).input;
  const validate = ajv.compile(schema);
  const GOOD = {
    must: 'a',
    coded: 'AB',
    long: 'xy',
    high: '1',
    tags: ['a', 'b'],
    counts: { a: 1 },
    color: 'COLOR_RED',
    ratio: 0.5,
    thisOne: '',
    size: {},
    all: [0],
  };

  /** Who takes a message: the codec with protovalidate, and the schema. */
  const takers = (change: object): [boolean, boolean] => {
    const json = JSON.parse(JSON.stringify({ ...GOOD, ...change })) as JsonObject;
    const message = codec.decode(method.input, JSON.stringify(json));
    return [validator.validate(method.input, message).kind === 'valid', validate(json)];
  };

  it.each<object>([
    {},
    { mail: 'a@b.example' },
    // Unset by `null`, as the rules of the field ignore zero.
    { mail: null },
    { chosen: '' },
    { chosen: 'b' },
    { ratio: 0 },
    { ratio: null },
    { counts: null },
    { color: 5 },
    { maybe: 'abc' },
    { maybe: null },
    { wrapped: 'abc' },
    { thisOne: undefined, thatOne: 'a' },
    { free: '' },
    { wait: '5s' },
  ])('let %j pass, as the validator does', (change) => {
    expect(takers(change)).toEqual([true, true]);
  });

  it.each<object>([
    { must: '' },
    { must: undefined },
    { coded: 'ab' },
    // Unset, it is empty, which is not of the pattern.
    { coded: undefined },
    { long: 'x' },
    { long: 'xyzab' },
    { mail: 'nobody' },
    { low: 11, high: undefined },
    { tags: [] },
    { tags: undefined },
    { tags: ['a', 'a'] },
    { tags: ['a', 'b', 'c', 'd'] },
    { tags: [''] },
    { counts: { A: 1 } },
    { counts: { a: 0 } },
    { counts: { a: 1, b: 1, c: 1 } },
    { color: 'COLOR_UNSPECIFIED' },
    { color: undefined },
    { color: 4711 },
    { ratio: 1.5 },
    { ratio: 'NaN' },
    { ratio: 'Infinity' },
    { chosen: 'c' },
    { maybe: 'ab' },
    { wrapped: 'abcd' },
    { thisOne: undefined },
    { size: undefined },
    { size: null },
    { all: [] },
    { low: 1, high: '1' },
  ])('refuse %j, as the validator does', (change) => {
    expect(takers(change)).toEqual([false, false]);
  });

  it.each<[object, string, string]>([
    [{ long: 'ab' }, 'long', 'Rules: prefix "x".'],
    [{ high: '-1' }, 'high', 'Rules: gt 0.'],
    [{ ruled: 'a b' }, 'ruled', "Rules: !this.contains(' ')."],
    [{ wait: '6s' }, 'wait', 'Rules: lte 5s.'],
  ])('are words where no keyword says that %j is refused', (change, name, words) => {
    expect(takers(change)).toEqual([false, true]);
    expect(propertiesOf(schema)[name]!['description']).toBe(words);
  });

  it('of a message are words too', () => {
    expect(schema['description']).toBe('Fields with rules.\nRules: low is at most high.');
    expect(propertiesOf(schema)['thatOne']!['description']).toBe(
      'Of the members of the oneof one exactly one is set.',
    );
  });
});
