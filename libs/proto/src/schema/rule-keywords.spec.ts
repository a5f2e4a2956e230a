import { readFileSync } from 'node:fs';
import { type DescField, create, fromJson, setExtension } from '@bufbuild/protobuf';
import type { GenExtension, GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  FieldDescriptorProtoSchema,
  type FieldOptions,
  FieldOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { ProtoRegistry } from '../proto-registry.js';
import { ecmaPattern } from './ecma-pattern.js';
import { constraintsOf } from './rule-keywords.js';

const shop = ProtoRegistry.load(
  new Uint8Array(readFileSync(new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url))),
);

/** A field with rules of protovalidate, written as in its documentation. */
function fieldWith(rules: object): DescField {
  const extension = shop.registry.getExtension('buf.validate.field') as GenExtension<FieldOptions>;
  const message = extension.message as GenMessage<never>;
  const options = create(FieldOptionsSchema);
  setExtension(options, extension, fromJson(message, rules as never, { registry: shop.registry }));
  const proto = create(FieldDescriptorProtoSchema, { name: 'a', options });
  return { kind: 'field', proto } as DescField;
}

const NUMBERS = ['float', 'double', 'int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'];

describe('constraintsOf', () => {
  it.each<[object, object]>([
    [{ string: { minLen: '2', maxLen: '5' } }, { minLength: 2, maxLength: 5 }],
    [{ string: { len: '3' } }, { minLength: 3, maxLength: 3 }],
    [{ string: { pattern: '^a' } }, { pattern: '^a' }],
    [{ string: { in: ['a', 'b'] } }, { enum: ['a', 'b'] }],
    [{ string: { const: '' } }, { const: '' }],
    [{ string: { email: true } }, { format: 'email' }],
    [{ string: { hostname: true } }, { format: 'hostname' }],
    [{ string: { ipv4: true } }, { format: 'ipv4' }],
    [{ string: { ipv6: true } }, { format: 'ipv6' }],
    [{ string: { uri: true } }, { format: 'uri' }],
    [{ string: { uriRef: true } }, { format: 'uri-reference' }],
    [{ string: { uuid: true } }, { format: 'uuid' }],
    [{ string: { email: false } }, {}],
    ...NUMBERS.flatMap((type): [object, object][] => [
      [{ [type]: { gte: 1, lte: 5 } }, { minimum: 1, maximum: 5 }],
      [{ [type]: { gt: 0, lt: 6 } }, { exclusiveMinimum: 0, exclusiveMaximum: 6 }],
      [{ [type]: { in: [1, 2] } }, { enum: [1, 2] }],
      [{ [type]: { const: 0 } }, { const: 0 }],
    ]),
    // Integers of 64 bits are texts in JSON, which no number bounds.
    [{ int64: { gte: '1' } }, {}],
    [{ uint64: { lt: '1' } }, {}],
    [
      { repeated: { minItems: '1', maxItems: '3', unique: true } },
      { minItems: 1, maxItems: 3, uniqueItems: true },
    ],
    [{ map: { minPairs: '1', maxPairs: '3' } }, { minProperties: 1, maxProperties: 3 }],
    // Above 5 or below 1, which two bounds together do not say.
    [{ int32: { gt: 5, lt: 1 } }, {}],
    [{ int32: { gte: 5, lte: 5 } }, { minimum: 5, maximum: 5 }],
    [{ ignore: 'IGNORE_ALWAYS', required: true, string: { minLen: '2' } }, {}],
    [{ string: { pattern: '(?i)^a$' } }, {}],
  ])('has %j as keywords', (rules, keywords) => {
    expect(constraintsOf(shop, fieldWith(rules))).toEqual({
      required: false,
      keywords,
      items: {},
      keys: {},
    });
  });

  it.each<[object, object]>([
    [{ repeated: { items: { string: { minLen: '1' } } } }, { minLength: 1 }],
    [{ map: { values: { int32: { gt: 0 } } } }, { exclusiveMinimum: 0 }],
  ])('has %j as keywords of elements', (rules, items) => {
    expect(constraintsOf(shop, fieldWith(rules)).items).toEqual(items);
  });

  it('has keywords of the keys of a map', () => {
    const rules = { map: { keys: { string: { maxLen: '3' } } } };
    expect(constraintsOf(shop, fieldWith(rules)).keys).toEqual({ maxLength: 3 });
  });

  it('knows what must be set', () => {
    expect(constraintsOf(shop, fieldWith({ required: true })).required).toBe(true);
    expect(constraintsOf(shop, fieldWith({})).required).toBe(false);
  });
});

describe('a pattern of RE2', () => {
  it.each([
    ['^[a-z][a-z0-9-]{0,62}$', '^[a-z][a-z0-9-]{0,62}$'],
    ['^(?:a|b)+$', '^(?:a|b)+$'],
    ['^\\d{3}\\.\\w*$', '^\\d{3}\\.\\w*$'],
    // `.` is everything but a line feed, `\s` five characters.
    ['^.+@[.]$', '^[^\\n]+@[.]$'],
    ['^\\S+[\\s_]$', '^[^\\t\\n\\f\\r ]+[\\t\\n\\f\\r _]$'],
    // Punctuation that RE2 lets be escaped.
    ['^\\-\\@\\_$', '^-@_$'],
    ['[\\-\\#]', '[\\-#]'],
  ])('%s is %s', (re2, ecma) => {
    expect(ecmaPattern(re2)).toBe(ecma);
  });

  it.each([
    '(?i)a',
    '(?P<name>a)',
    '\\Aa\\z',
    '\\Qa.b\\E',
    '[[:alpha:]]',
    '[]a]',
    '[^]a]',
    '\\pN',
    '\\C',
    '[\\b]',
    '[\\S]',
    'a{,3}',
    '\\x{10FFFF}',
  ])('%s has no form in JSON Schema', (re2) => {
    expect(ecmaPattern(re2)).toBeUndefined();
  });
});
