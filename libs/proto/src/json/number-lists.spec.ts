import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Message,
  type MessageInitShape,
  ScalarType,
  create,
  createFileRegistry,
  fromBinary,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { wireCodec } from '../wire/wire-codec.js';
import { JsonCodec } from './json-codec.js';

const FLOATS = { doubles: ScalarType.DOUBLE, floats: ScalarType.FLOAT };
const INTEGERS = {
  ints: ScalarType.INT32,
  counts: ScalarType.UINT32,
  zigzags: ScalarType.SINT32,
  fixed: ScalarType.FIXED32,
  longs: ScalarType.INT64,
  ulongs: ScalarType.UINT64,
  zigzagLongs: ScalarType.SINT64,
  fixedLongs: ScalarType.SFIXED64,
};

/** A message with a list of each type of number, each packed and then not. */
const file: MessageInitShape<typeof FileDescriptorProtoSchema> = {
  name: 'numbers.proto',
  syntax: 'proto3',
  messageType: [
    {
      name: 'Numbers',
      field: Object.entries({ ...FLOATS, ...INTEGERS }).flatMap(([name, type], i) =>
        [true, false].map((packed) => ({
          name: packed ? name : `${name}One`,
          jsonName: packed ? name : `${name}One`,
          number: i * 2 + (packed ? 1 : 2),
          type: type as number,
          label: Label.REPEATED,
          options: { packed },
        })),
      ),
    },
  ],
};
const registry = createFileRegistry(create(FileDescriptorProtoSchema, file), () => undefined);
const desc = registry.getMessage('Numbers')!;
const codec = new JsonCodec(registry);
const wire = wireCodec(desc);

const numbers = (fields: object): Message => Object.assign(create(desc), fields);

/** What each way makes of a message, as texts, and what protobuf-es does. */
function ways(message: Message): Record<'ours' | 'expected', Record<string, unknown>> {
  const bytes = toBinary(desc, message);
  const plain = fromBinary(desc, bytes);
  const json = codec.encodeBytes(desc, message);
  const text = JSON.stringify(toJson(desc, plain));
  const hex = Buffer.from(bytes).toString('hex');
  return {
    ours: {
      toJson: String(json),
      wireToJson: String(codec.fromWire(desc, bytes)),
      decoded: wire.decode(bytes),
      toWire: wire.encode(message).toString('hex'),
      jsonToMessage: codec.encode(desc, codec.decode(desc, json)),
      jsonToWire: String(codec.fromWire(desc, codec.toWire(desc, json))),
    },
    expected: {
      toJson: text,
      wireToJson: text,
      decoded: plain,
      toWire: hex,
      jsonToMessage: text,
      jsonToWire: text,
    },
  };
}

const LENGTHS = [1, 2, 5, 6, 7, 40];
const ODD = [
  0,
  -0,
  1e21,
  1e-7,
  5e-324,
  2 ** 53,
  -1.5,
  0.1,
  3.4e38,
  2 ** 31,
  NaN,
  Infinity,
  -Infinity,
];

describe('lists of numbers', () => {
  it.each(LENGTHS)('are the same as those of protobuf-es every way, of %d', (length) => {
    for (const odd of ODD) {
      for (const at of [0, length - 1]) {
        const list = Array.from({ length }, (_, i) => (i === at ? odd : i * 1.25 + 0.1));
        const fields = { doubles: list, doublesOne: list, floats: list, floatsOne: list };
        const { ours, expected } = ways(numbers(fields));
        expect(ours).toEqual(expected);
      }
    }
  });

  it('are the same as those of protobuf-es, whatever the integers are', () => {
    const near = fc
      .tuple(fc.nat(64), fc.bigInt(-11n, 11n), fc.nat(19))
      .map(([bits, off, digits]) => [2n ** BigInt(bits) + off, 10n ** BigInt(digits) + off]);
    fc.assert(
      fc.property(fc.array(near, { minLength: 1, maxLength: 12 }), (pairs) => {
        const all = pairs.flat().flatMap((value) => [value, -value]);
        const longs = all.map((value) => BigInt.asIntN(64, value));
        const ulongs = all.map((value) => BigInt.asUintN(64, value));
        const ints = all.map((value) => Number(BigInt.asIntN(32, value)));
        const counts = all.map((value) => Number(BigInt.asUintN(32, value)));
        const packed = { ints, counts, zigzags: ints, fixed: counts, longs, ulongs };
        const rest = { zigzagLongs: longs, fixedLongs: longs, intsOne: ints, longsOne: longs };
        const { ours, expected } = ways(numbers({ ...packed, ...rest }));
        expect(ours).toEqual(expected);
      }),
    );
  });

  it.each([1, 4, 7])('are refused where %d bytes of the last one are missing', (missing) => {
    const doubles = Array.from({ length: 9 }, (_, i) => i / 8);
    const bytes = wire.encode(numbers({ doubles })).subarray(0, -missing);
    bytes[1] = bytes[1]! - missing;
    expect(() => wire.decode(bytes)).toThrow(/beyond the end/);
    expect(() => codec.fromWire(desc, bytes)).toThrow(/beyond the end/);
  });

  it.each([
    ['a text', 'x', 'expected double, got "x"'],
    ['undefined', undefined, 'expected double, got undefined'],
    ['a number as an object', new Number(1), 'expected double, got'],
  ])('are refused with the place where an item is %s', (_name, item, problem) => {
    const doubles = [1, 2, 3, 4, 5, 6, item, 8];
    expect(() => codec.encode(desc, numbers({ doubles }))).toThrow(`$.doubles[6]: ${problem}`);
  });

  it('are refused with the place where an item is beyond a float', () => {
    const floats = [1, 2, 3, 4, 5, 6, 1e39];
    expect(() => codec.encode(desc, numbers({ floats }))).toThrow(
      '$.floats[6]: expected float, got 1e+39',
    );
  });

  it('are what their items are, whatever form of JSON they claim to have', () => {
    const list = [1.5, 2, 3, 4, 5, 6.25, 7];
    const doubles = Object.assign([...list], { toJSON: () => 'something else' });
    expect(codec.toValue(desc, numbers({ doubles }))).toEqual({ doubles: list });
  });
});
