import { describe, expect, it } from '@jest/globals';
import { Code, isStatusError } from '@apix/contracts';
import { create, fromJson, toBinary, toJson, type JsonObject } from '@bufbuild/protobuf';
import {
  AnySchema,
  type MethodOptions,
  MethodOptionsSchema,
  anyPack,
} from '@bufbuild/protobuf/wkt';
import { KindsSchema, kinds } from '../kinds.fixture.js';
import { JsonCodec } from './json-codec.js';
import { JsonDecodeError } from './json-decode-error.js';

const codec = new JsonCodec(kinds.registry);
const INNER = 'type.googleapis.com/apix.testdata.Kinds';

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Reads, then writes again. */
function roundTrip(json: string): unknown {
  return JSON.parse(codec.encode(KindsSchema, codec.decode(KindsSchema, json)));
}

describe('JsonCodec.decode', () => {
  it.each([
    ['a field', '{"int64Value":9007199254740993}', { int64Value: '9007199254740993' }],
    ['the smallest', '{"int64Value":-9223372036854775808}', { int64Value: '-9223372036854775808' }],
    [
      'the largest',
      '{"uint64Value":18446744073709551615}',
      { uint64Value: '18446744073709551615' },
    ],
    ['a proto name', '{"sint64_value":9007199254740993}', { sint64Value: '9007199254740993' }],
    ['fixed64', '{"fixed64Value":9007199254740993}', { fixed64Value: '9007199254740993' }],
    ['sfixed64', '{"sfixed64Value":9007199254740993}', { sfixed64Value: '9007199254740993' }],
    ['an exponent', '{"int64Value":9.007199254740993e15}', { int64Value: '9007199254740993' }],
    ['a list', '{"int64List":[1,9007199254740993]}', { int64List: ['1', '9007199254740993'] }],
    [
      'a map',
      '{"int64ByInt64":{"1":9007199254740993}}',
      { int64ByInt64: { 1: '9007199254740993' } },
    ],
    [
      'a child',
      '{"child":{"int64Value":9007199254740993}}',
      { child: { int64Value: '9007199254740993' } },
    ],
    [
      'a map of messages',
      '{"kindsByText":{"__proto__":{"int64Value":9007199254740993}}}',
      JSON.parse('{"kindsByText":{"__proto__":{"int64Value":"9007199254740993"}}}'),
    ],
    ['a oneof', '{"choiceNumber":9007199254740993}', { choiceNumber: '9007199254740993' }],
    ['a wrapper', '{"wrappedInt64":9007199254740993}', { wrappedInt64: '9007199254740993' }],
    [
      'a list of wrappers',
      '{"wrappedList":[9007199254740993]}',
      { wrappedList: ['9007199254740993'] },
    ],
    [
      'an Any',
      `{"any":{"@type":"${INNER}","int64Value":9007199254740993}}`,
      { any: { '@type': INNER, int64Value: '9007199254740993' } },
    ],
    [
      'an Any of a wrapper',
      '{"any":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":9007199254740993}}',
      {
        any: {
          '@type': 'type.googleapis.com/google.protobuf.Int64Value',
          value: '9007199254740993',
        },
      },
    ],
  ])('keeps every digit of a 64-bit integer sent as a number: %s', (_, json, expected) => {
    expect(roundTrip(json)).toEqual(expected);
  });

  it.each([
    ['a double', '{"doubleValue":9007199254740993}', { doubleValue: 9007199254740992 }],
    ['a double in text', '{"doubleValue":"1e3"}', { doubleValue: 1000 }],
    ['a Struct', '{"struct":{"a":9007199254740993}}', { struct: { a: 9007199254740992 } }],
    ['a Value', '{"anyJson":[1e2]}', { anyJson: [100] }],
    ['an int32 with an exponent', '{"int32Value":1e2}', { int32Value: 100 }],
    ['an enum by number', '{"colour":1e0}', { colour: 'COLOUR_RED' }],
  ])('reads other numbers as doubles: %s', (_, json, expected) => {
    expect(roundTrip(json)).toEqual(expected);
  });

  it('does not take such a number for text', () => {
    expect(() => codec.decode(KindsSchema, '{"stringValue":9007199254740993}')).toThrow(
      '$.stringValue: expected string, got 9007199254740993',
    );
  });

  it.each([
    ['$', '[]', 'expected an object for apix.testdata.Kinds'],
    ['$', 'null', 'expected an object for apix.testdata.Kinds'],
    ['$.nope', '{"nope":1}', 'apix.testdata.Kinds has no field "nope"'],
    ['$.__proto__', '{"__proto__":{}}', 'apix.testdata.Kinds has no field "__proto__"'],
    ['$.constructor', '{"constructor":1}', 'apix.testdata.Kinds has no field "constructor"'],
    ['$.int32Value', '{"int32Value":"x"}', 'expected number (int32), got "x"'],
    ['$.int32Value', '{"int32Value":2147483648}', 'out of range'],
    ['$.int64Value', '{"int64Value":9223372036854775808}', 'out of range'],
    [
      '$.int64Value',
      '{"int64Value":9007199254740993.5}',
      'expected a 64-bit integer, got 9007199254740993.5',
    ],
    ['$.uint64Value', '{"uint64Value":-1}', 'out of range'],
    ['$.boolValue', '{"boolValue":"true"}', 'expected boolean, got "true"'],
    ['$.bytesValue', '{"bytesValue":"*"}', 'invalid base64'],
    ['$.stringValue', '{"stringValue":"\\ud800"}', 'invalid UTF8'],
    ['$.colour', '{"colour":"PINK"}', 'expected apix.testdata.Colour, got "PINK"'],
    [
      '$.child.children[1].child.int32_value',
      '{"child":{"children":[{},{"child":{"int32_value":1.5}}]}}',
      'expected number (int32)',
    ],
    ['$.children[0]', '{"children":[null]}', 'must not be null'],
    ['$.stringList[2]', '{"stringList":["a","b",3]}', 'expected string, got 3'],
    ['$.textByText["a.b"]', '{"textByText":{"a.b":1}}', 'expected string, got 1'],
    ['$.kindsByText.a.nope', '{"kindsByText":{"a":{"nope":1}}}', 'has no field'],
    ['$.int64ByInt64.x', '{"int64ByInt64":{"x":1}}', 'x'],
    ['$.timestamp', '{"timestamp":"yesterday"}', 'invalid RFC 3339 string'],
    ['$.duration', '{"duration":"1h"}', 'expected google.protobuf.Duration, got "1h"'],
    ['$.mask', '{"mask":"snake_case"}', 'lowerCamelCase'],
    ['$.struct', '{"struct":[]}', 'expected google.protobuf.Struct, got an array'],
    ['$.any', '{"any":{"@type":"x/no.Such"}}', 'x/no.Such is not in the type registry'],
    [
      '$.any.int32Value',
      `{"any":{"@type":"${INNER}","int32Value":"x"}}`,
      'expected number (int32)',
    ],
    [
      '$.choiceNumber',
      '{"choiceText":"a","choiceNumber":1}',
      '"choiceText" already sets the oneof choice',
    ],
    [
      '$.int32_value',
      '{"int32Value":1,"int32_value":1}',
      '"int32Value" already sets the field int32_value',
    ],
    ['$.child.boolValue', '{"child":{"boolValue":true,"boolValue":true}}', 'given more than once'],
    ['$["odd.name"]', '{"odd.name":1}', 'expected string, got 1'],
  ])('says that the mistake is at %s of %s', (path, json, problem) => {
    const error = errorOf(() => codec.decode(KindsSchema, json));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(error).toMatchObject({ path, code: Code.INVALID_ARGUMENT });
    expect((error as JsonDecodeError).message).toBe(
      `${path}: ${(error as JsonDecodeError).problem}`,
    );
    expect((error as JsonDecodeError).problem).toContain(problem);
    expect(isStatusError(error)).toBe(true);
  });

  it('reads UTF-8 bytes and refuses others', () => {
    const bytes = new TextEncoder().encode('{"stringValue":"größe"}');
    expect(codec.decode(KindsSchema, bytes)).toMatchObject({ stringValue: 'größe' });
    expect(() => codec.decode(KindsSchema, new Uint8Array([0x22, 0xff, 0x22]))).toThrow(
      '$: invalid UTF-8',
    );
  });

  it('ignores unknown members where it was told to, at every depth', () => {
    const lenient = new JsonCodec(kinds.registry, { unknownFields: 'ignore' });
    const json = '{"nope":{"deep":[1e5]},"child":{"nope":1,"int32Value":7}}';
    expect(lenient.decode(KindsSchema, json)).toMatchObject({ child: { int32Value: 7 } });
    expect(() => lenient.decode(KindsSchema, '{"nope":1,"int32Value":"x"}')).toThrow(
      '$.int32Value: ',
    );
  });

  it.each([
    [
      'messages',
      '{"child":'.repeat(4) + '{}' + '}'.repeat(4),
      '$.child.child.child: messages nested',
    ],
    [
      'messages in lists',
      '{"children":['.repeat(4) + ']}'.repeat(4),
      '$.children[0].children[0].children[0]: messages nested',
    ],
    ['unknown members', `{"nope":${'['.repeat(50_000)}`, /: nested deeper than 12 levels/],
    ['a Value', `{"anyJson":${'['.repeat(50_000)}`, /: messages nested deeper than 3 levels/],
  ])('stops at its depth limit: %s', (_, json, message) => {
    const shallow = new JsonCodec(kinds.registry, { maxDepth: 3, unknownFields: 'ignore' });
    expect(() => shallow.decode(KindsSchema, json)).toThrow(message);
  });
});

describe('JsonCodec.decodeValue', () => {
  it('reads a parsed document', () => {
    const value: unknown = Object.freeze({ int64Value: 5, stringList: Object.freeze(['a']) });
    expect(codec.decode(KindsSchema, value)).toMatchObject({ int64Value: 5n, stringList: ['a'] });
  });

  it('refuses a number that may have lost digits, at its place', () => {
    const value: unknown = JSON.parse('{"children":[{"int64Value":9007199254740993}]}');
    expect(() => codec.decode(KindsSchema, value)).toThrow(
      /^\$\.children\[0\]\.int64Value: the number 9007199254740992 may have lost digits/,
    );
    expect(codec.decode(KindsSchema, { int64Value: 2 ** 53 - 1 })).toMatchObject({
      int64Value: 2n ** 53n - 1n,
    });
  });

  it('refuses a document nested so deeply that walking it would exhaust the stack', () => {
    let value: unknown = [];
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(() => codec.decode(KindsSchema, { nope: value })).toThrow(/nested deeper than/);
  });

  it('accepts any number of adjacent lists and objects', () => {
    const many = Array.from({ length: 2_000 }, () => ({ stringList: ['a'] }));
    expect(codec.decode(KindsSchema, { children: many })).toMatchObject({ children: many });
  });

  it.each([undefined, 7, true, () => 1])('refuses %p', (value) => {
    expect(errorOf(() => codec.decode(KindsSchema, value))).toBeInstanceOf(JsonDecodeError);
  });
});

describe('JsonCodec.encode', () => {
  const message = fromJson(KindsSchema, { child: { int64Value: '1' }, colour: 'COLOUR_RED' });

  it('writes nothing that is not set, by default', () => {
    expect(codec.encode(KindsSchema, message)).toBe(
      '{"colour":"COLOUR_RED","child":{"int64Value":"1"}}',
    );
  });

  it('writes proto names and numbers of enums where it was told to', () => {
    const other = new JsonCodec(kinds.registry, { protoNames: true, enumsAsNumbers: true });
    expect(other.encode(KindsSchema, message)).toBe('{"colour":1,"child":{"int64_value":"1"}}');
  });

  it('writes default values but no null with `values`', () => {
    const json = new JsonCodec(kinds.registry, { emitDefaults: 'values' }).encode(
      KindsSchema,
      message,
    );
    expect(json).not.toContain('null');
    expect(JSON.parse(json)).toMatchObject({ int64Value: '0', stringList: [], textByText: {} });
    expect(JSON.parse(json)).not.toHaveProperty('optionalString');
    expect(JSON.parse(json)).not.toHaveProperty('choiceText');
  });

  it.each([
    [false, 'wrappedInt64'],
    [true, 'wrapped_int64'],
  ])(
    'writes null for unset messages outside of oneofs with `all`; proto names: %p',
    (protoNames, wrapped) => {
      const all = new JsonCodec(kinds.registry, { emitDefaults: 'all', protoNames });
      const json = all.toValue(KindsSchema, message) as JsonObject;
      expect(json).toMatchObject({ timestamp: null, [wrapped]: null, child: { child: null } });
      expect(json).not.toHaveProperty(protoNames ? 'choice_kinds' : 'choiceKinds');
      expect(json).not.toHaveProperty(protoNames ? 'optional_string' : 'optionalString');
      expect(codec.decode(KindsSchema, JSON.stringify(json))).toEqual(message);
    },
  );

  it('writes null inside lists, maps and members of oneofs too', () => {
    const all = new JsonCodec(kinds.registry, { emitDefaults: 'all' });
    const nested = fromJson(KindsSchema, {
      children: [{}],
      kindsByText: { a: {}, ['__proto__']: {} },
      choiceKinds: {},
    });
    const json = all.toValue(KindsSchema, nested) as Record<string, JsonObject>;
    expect(json['children']).toMatchObject([{ child: null }]);
    expect(json['kindsByText']).toMatchObject({ a: { child: null } });
    expect(json['choiceKinds']).toMatchObject({ child: null });
    expect(JSON.stringify(json['kindsByText'])).toContain('"__proto__":{');
  });

  it.each(['none', 'all'] as const)('writes and reads extensions, defaults: %s', (emitDefaults) => {
    const other = new JsonCodec(kinds.registry, { emitDefaults });
    const { options } = kinds.method('/apix.testdata.Probe/Unary')!.proto;
    const json = other.encode(MethodOptionsSchema, options!);
    expect(JSON.parse(json)).toMatchObject({ '[apix.testdata.mark]': { text: 'seen' } });
    const again = codec.decode(MethodOptionsSchema, json);
    expect(toBinary(MethodOptionsSchema, again as MethodOptions)).toEqual(
      toBinary(MethodOptionsSchema, options!),
    );
    expect(() => codec.decode(MethodOptionsSchema, '{"[apix.testdata.mark]":{"text":1}}')).toThrow(
      '$["[apix.testdata.mark]"].text: expected string, got 1',
    );
  });

  it('packs and unpacks an Any of a type that the registry knows, and names another', () => {
    const any = create(AnySchema);
    anyPack(KindsSchema, message, any);
    expect(JSON.parse(codec.encode(AnySchema, any))).toEqual({
      '@type': INNER,
      ...(toJson(KindsSchema, message) as JsonObject),
    });
    expect(() => codec.encode(AnySchema, create(AnySchema, { typeUrl: 'x/no.Such' }))).toThrow(
      /^proto: google\.protobuf\.Any cannot be written as JSON: .*no\.Such/,
    );
  });
});
