import { describe, expect, it } from '@jest/globals';
import {
  create,
  createRegistry,
  fromJson,
  getExtension,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  AnySchema,
  DurationSchema,
  Int64ValueSchema,
  ListValueSchema,
  StructSchema,
  TimestampSchema,
  anyPack,
} from '@bufbuild/protobuf/wkt';
import { wireCodec } from '../../wire/wire-codec.js';
import { ByteSink } from '../../bytes/byte-sink.js';
import { KindsSchema } from '../../kinds.fixture.js';
import { WireSource } from '../../wire/wire-source.js';
import { jsonWriter } from './json-writer.js';
import {
  PLAIN,
  WrittenSchema,
  careless,
  registry,
  streamed,
  written,
} from './written-json.fixture.js';

describe('jsonWriter.message', () => {
  it('writes lone surrogates as the wire has them, in texts, keys and Structs', () => {
    const message = careless({
      stringValue: 'a\ud800',
      oddName: `${'long '.repeat(20)}\udc00"`,
      textByText: { '\ud800': '\udfff' },
      struct: { '\ud800': ['\ud800x'] },
    });
    expect(written(KindsSchema, message)).toBe(
      `{"stringValue":"a\ufffd","textByText":{"\ufffd":"\ufffd"},"struct":{"\ufffd":["\ufffdx"]},"odd.name":"${'long '.repeat(20)}\ufffd\\""}`,
    );
  });

  it('writes floats as the wire has them', () => {
    expect(written(KindsSchema, careless({ floatValue: 0.1, doubleValue: 0.1 }))).toBe(
      '{"doubleValue":0.1,"floatValue":0.10000000149011612}',
    );
  });

  it('writes keys and members named __proto__ as own ones', () => {
    const message = fromJson(
      KindsSchema,
      JSON.parse('{"textByText":{"__proto__":"a"},"struct":{"__proto__":{"b":1}}}'),
      { registry },
    );
    const json = '{"textByText":{"__proto__":"a"},"struct":{"__proto__":{"b":1}}}';
    expect(written(KindsSchema, message)).toBe(json);
    expect(streamed(KindsSchema, toBinary(KindsSchema, message))).toBe(json);
  });

  it.each([
    ['an empty Any', create(AnySchema), '{}'],
    ['an empty ListValue', create(ListValueSchema), '[]'],
    ['an empty Struct', create(StructSchema), '{}'],
    [
      'a Timestamp before 1970',
      create(TimestampSchema, { seconds: -1n, nanos: 1000 }),
      '"1969-12-31T23:59:59.000001Z"',
    ],
    [
      'the first Timestamp',
      create(TimestampSchema, { seconds: -62_135_596_800n }),
      '"0001-01-01T00:00:00Z"',
    ],
    [
      'the last Timestamp',
      create(TimestampSchema, { seconds: 253_402_300_799n, nanos: 999_999_999 }),
      '"9999-12-31T23:59:59.999999999Z"',
    ],
    [
      'a leap day',
      create(TimestampSchema, { seconds: 951_782_400n, nanos: 7_000_000 }),
      '"2000-02-29T00:00:00.007Z"',
    ],
    ['a Duration below 0', create(DurationSchema, { nanos: -500_000_000 }), '"-0.500s"'],
    [
      'the smallest int64',
      create(Int64ValueSchema, { value: -(2n ** 63n) }),
      '"-9223372036854775808"',
    ],
  ] as const)('writes %s', (_, message, json) => {
    const desc = registry.getMessage(message.$typeName)!;
    expect(written(desc, message)).toBe(json);
    expect(streamed(desc, toBinary(desc, message))).toBe(json);
  });

  it.each([
    ['a map', { textByText: { 'a\ud800': 'x', b: 'y', 'a\udfff': 'z' } }],
    ['a map of messages', { kindsByText: { '\ud800': { int32Value: 1 }, '\ud801': {} } }],
    ['a Struct', { struct: { a: { '\ud800': 1, ä: 2, '\udfff': 3 } } }],
    ['keys with the replacement itself', { textByText: { '\ufffd': 'x', '\ud800': 'y' } }],
  ])('writes keys that are one without half surrogate pairs once, as the wire: %s', (_, init) => {
    const message = create(KindsSchema, init as never);
    const wire = wireCodec(KindsSchema).encode(message);
    expect(written(KindsSchema, message)).toBe(streamed(KindsSchema, wire));
  });

  it('writes the type of an Any before its members, or its value under a name', () => {
    const any = create(AnySchema);
    anyPack(KindsSchema, fromJson(KindsSchema, { boolValue: true }), any);
    const url = 'type.googleapis.com/apix.testdata.Kinds';
    expect(written(AnySchema, any)).toBe(`{"@type":"${url}","boolValue":true}`);
    anyPack(KindsSchema, create(KindsSchema), any);
    expect(written(AnySchema, any)).toBe(`{"@type":"${url}"}`);
    const wrapped = create(AnySchema);
    anyPack(Int64ValueSchema, create(Int64ValueSchema, { value: 3n }), wrapped);
    expect(written(AnySchema, wrapped)).toBe(
      '{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"3"}',
    );
  });

  it('writes each kind of value wherever its sink ends', () => {
    const { message: write, wire: stream } = jsonWriter(registry, PLAIN);
    const json = {
      stringValue: 'a',
      bytesValue: 'AQIDBA==',
      colour: 'COLOUR_BLUE',
      optionalInt64: '-9223372036854775808',
      optionalString: 'b',
      int64List: ['1', '18000000000'],
      stringList: ['', 'of 16 characters', 'ü€"'],
      children: [{}, { doubleValue: 1.0000000000000002e-300, boolValue: true }],
      colours: ['COLOUR_RED', 7],
      textByText: { key: 'value' },
      doubleByBool: { true: -5e-324 },
      timestamp: '2024-02-29T00:00:00.000000001Z',
      duration: '-315576000000.999999999s',
      mask: 'a,bC',
      struct: { c: [null, false, { b: 0.1 }] },
      wrappedInt64: '4',
    };
    const message = fromJson(KindsSchema, json);
    const [start, rest] = JSON.stringify(json).split('"a"', 2) as [string, string];
    const wrong: number[] = [];
    for (let before = 3_600; before < 4_100; before += 1) {
      const stringValue = 'a'.repeat(before);
      const text = `${start}"${stringValue}"${rest}`;
      Object.assign(message, { stringValue });
      const written = new ByteSink();
      write(KindsSchema, message, written);
      const streamed = new ByteSink();
      stream(KindsSchema, new WireSource(toBinary(KindsSchema, message)), streamed);
      const isRight = [written, streamed].every((sink) => sink.finish().toString() === text);
      if (!isRight) wrong.push(before);
    }
    expect(wrong).toEqual([]);
  });

  it('is compiled once for a registry and the same options', () => {
    const first = jsonWriter(registry, PLAIN);
    expect(jsonWriter(registry, { ...PLAIN })).toBe(first);
    const others = [
      jsonWriter(registry, { ...PLAIN, emitDefaults: 'values' }),
      jsonWriter(registry, { ...PLAIN, protoNames: true }),
      jsonWriter(registry, { ...PLAIN, enumsAsNumbers: true }),
      jsonWriter(createRegistry(KindsSchema), PLAIN),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it.each(['none', 'values', 'all'] as const)('writes extensions, defaults: %s', (emitDefaults) => {
    const message = create(WrittenSchema);
    for (const extension of registry) {
      if (extension.kind !== 'extension' || extension.extendee !== WrittenSchema) continue;
      setExtension(message, extension, getExtension(message, extension));
    }
    const options = { ...PLAIN, emitDefaults };
    const json = written(WrittenSchema, message, options);
    expect(json).toContain('"[apix.testdata.twin]":{');
    expect(streamed(WrittenSchema, toBinary(WrittenSchema, message), options)).toBe(json);
  });
});
