import { describe, expect, it } from '@jest/globals';
import {
  type DescField,
  type JsonObject,
  type JsonValue,
  ScalarType,
  fromJson,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import fc from 'fast-check';
import { KindsSchema, kinds } from '../kinds.fixture.js';
import { JsonCodec } from './json-codec.js';

const { registry } = kinds;
const codec = new JsonCodec(registry);

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: 'grapheme' });

function scalar(type: ScalarType): fc.Arbitrary<JsonValue> {
  switch (type) {
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return int64.map(String);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return uint64.map(String);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.nat({ max: 2 ** 32 - 1 });
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return fc.integer();
    case ScalarType.DOUBLE:
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case ScalarType.FLOAT:
      return fc.float({ noNaN: true, noDefaultInfinity: true });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.STRING:
      return text;
    case ScalarType.BYTES:
      return fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'));
  }
}

const WELL_KNOWN: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  Timestamp: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  Duration: fc.integer().map((seconds) => `${seconds}s`),
  FieldMask: fc.array(fc.constantFrom('a', 'aB', 'a.bC')).map((paths) => paths.join()),
  Struct: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>),
  Value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  Int64Value: int64.map(String),
  UInt64Value: uint64.map(String),
  StringValue: text,
  Empty: fc.constant({}),
  Any: fc.record({
    '@type': fc.constant('type.googleapis.com/google.protobuf.Int64Value'),
    value: int64.map(String),
  }),
};

/** Documents as they come out of JSON text, which has no negative zero. */
const { message: document } = fc.letrec<{ message: JsonObject }>((tie) => {
  const single = (field: DescField): fc.Arbitrary<JsonValue> => {
    if (field.message !== undefined) {
      return WELL_KNOWN[field.message.name] ?? tie('message');
    }
    return field.enum === undefined
      ? scalar(field.scalar)
      : fc.constantFrom('COLOUR_RED', 'COLOUR_BLUE', 7);
  };
  const member = (field: DescField): fc.Arbitrary<JsonValue> => {
    if (field.fieldKind === 'list') return fc.array(single(field), { maxLength: 3 });
    if (field.fieldKind !== 'map') return single(field);
    const key = scalar(field.mapKey).map(String);
    return fc.dictionary(key, single(field), { maxKeys: 3 });
  };
  const choices = KindsSchema.oneofs[0]!.fields;
  const others = KindsSchema.fields.filter((field) => !choices.includes(field));
  const members = fc.record(
    Object.fromEntries(others.map((field) => [field.jsonName, member(field)])),
    { requiredKeys: [] },
  );
  const choice = fc.oneof(
    fc.constant({}),
    ...choices.map((field) => fc.record({ [field.jsonName]: member(field) })),
  );
  return {
    message: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'kinds' },
      fc.constant({}),
      fc.tuple(members, choice).map(([some, one]) => ({ ...some, ...one })),
    ) as fc.Arbitrary<JsonObject>,
  };
});

const message = document.map((json) => JSON.parse(JSON.stringify(json)) as JsonObject);

describe('JsonCodec against protobuf-es', () => {
  it('reads and writes whatever protobuf-es reads and writes, alike', () => {
    fc.assert(
      fc.property(message, (json) => {
        const expected = fromJson(KindsSchema, json, { registry });
        const decoded = codec.decode(KindsSchema, JSON.stringify(json));
        expect(toBinary(KindsSchema, decoded)).toEqual(toBinary(KindsSchema, expected));
        expect(JSON.parse(codec.encode(KindsSchema, decoded))).toEqual(
          toJson(KindsSchema, expected, { registry }),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('reads 64-bit integers written as numbers like the same written as text', () => {
    fc.assert(
      fc.property(message, (json) => {
        const expected = fromJson(KindsSchema, json, { registry });
        const asText = codec.encode(KindsSchema, expected);
        // Quotes around digits go, except in the fields and keys where text belongs.
        const asNumbers = asText.replace(
          /("(?:[a-z]+64Value|optionalInt64|choiceNumber|wrappedInt64)":)"(-?\d+)"/g,
          '$1$2',
        );
        expect(toBinary(KindsSchema, codec.decode(KindsSchema, asNumbers))).toEqual(
          toBinary(KindsSchema, codec.decode(KindsSchema, asText)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('reads back what it writes, with every option', () => {
    fc.assert(
      fc.property(
        message,
        fc.constantFrom('none', 'values', 'all'),
        fc.boolean(),
        fc.boolean(),
        (json, emitDefaults, protoNames, enumsAsNumbers) => {
          const other = new JsonCodec(registry, { emitDefaults, protoNames, enumsAsNumbers });
          const original = fromJson(KindsSchema, json, { registry });
          const again = codec.decode(KindsSchema, other.encode(KindsSchema, original));
          expect(toBinary(KindsSchema, again)).toEqual(toBinary(KindsSchema, original));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('answers any document with a message or a JsonDecodeError that has a path', () => {
    fc.assert(
      fc.property(message, fc.json(), fc.nat(), (json, other, at) => {
        const written = JSON.stringify(json);
        const spot = at % (written.length + 1);
        const damaged = written.slice(0, spot) + other + written.slice(spot);
        expect(outcomeOf(damaged)).toMatch(/^(message|JsonDecodeError \$)/);
      }),
      { numRuns: 300 },
    );
  });
});

function outcomeOf(json: string): string {
  try {
    codec.decode(KindsSchema, json);
    return 'message';
  } catch (error) {
    return `${(error as object).constructor.name} ${(error as { path?: string }).path}`;
  }
}
