import { inspect, isDeepStrictEqual } from 'node:util';
import { type DescMessage, type Message, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FeatureSetSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  UninterpretedOption_NamePartSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KindsSchema } from '../kinds.fixture.js';
import { transfer, tryTransfer } from './transfer.js';

type Members = Readonly<Record<PropertyKey, unknown>>;

const kinds = (init: Members = {}): Message => create(KindsSchema, init as never);
const bent = (members: Members): Message & Members => Object.assign(kinds(), members);

/** A plain view: of a Buffer, protobuf-es makes Buffers of the fields. */
function overWire(desc: DescMessage, message: Message): Message {
  return fromBinary(desc, new Uint8Array(toBinary(desc, message)));
}

const shown = (value: unknown): string => inspect(value, { depth: Infinity, sorted: true });

const float = fc.float();
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: 'grapheme' });
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((it) => !JSON.stringify(it).includes('__proto__'));
const mapKey = text.filter((key) => key !== '__proto__');

const { members } = fc.letrec<{ members: Members }>((tie) => ({
  members: fc.record(
    {
      doubleValue: fc.double(),
      floatValue: fc.oneof(float, fc.double({ min: -1e38, max: 1e38 })),
      int32Value: fc.integer(),
      int64Value: int64,
      uint32Value: fc.nat({ max: 2 ** 32 - 1 }),
      uint64Value: uint64,
      boolValue: fc.boolean(),
      stringValue: text,
      bytesValue: fc.uint8Array(),
      colour: fc.integer(),
      child: fc.option(tie('members'), { nil: undefined, maxDepth: 2 }),
      optionalInt64: int64,
      optionalString: text,
      int64List: fc.array(int64),
      stringList: fc.array(text),
      children: fc.array(tie('members'), { maxLength: 2, depthIdentifier: 'deep' }),
      textByText: fc.dictionary(mapKey, text),
      int64ByInt64: fc
        .array(fc.tuple(int64, int64))
        .map((pairs) => Object.fromEntries(pairs.map(([key, value]) => [String(key), value]))),
      doubleByBool: fc.record({ true: fc.double(), false: fc.double() }, { requiredKeys: [] }),
      choice: fc.oneof(
        fc.record({ case: fc.constant('choiceText'), value: text }),
        fc.record({ case: fc.constant('choiceNumber'), value: uint64 }),
      ),
      timestamp: fc.record({ seconds: int64, nanos: fc.integer() }),
      struct: fc.dictionary(mapKey, json),
      wrappedInt64: int64,
      wrappedString: text,
      wrappedList: fc.array(fc.record({ value: uint64 })),
    },
    { requiredKeys: [] },
  ),
}));

describe('a message that is transferred', () => {
  it('is what the wire makes of it, of any values', () => {
    fc.assert(
      fc.property(members, (init) => {
        const message = kinds(init);
        const taken = tryTransfer(KindsSchema, message, Infinity);
        expect(taken).toBeDefined();
        expect(shown(taken)).toBe(shown(overWire(KindsSchema, message)));
      }),
    );
  });

  it('shares nothing with the message', () => {
    const bytes = new Uint8Array([1, 2]);
    const message = bent({
      bytesValue: bytes,
      int64List: [1n],
      textByText: { a: 'b' },
      children: [kinds({ stringValue: 'a' })],
      struct: { a: { b: [1] } },
      choice: { case: 'choiceKinds', value: kinds() },
    });
    const before = shown(overWire(KindsSchema, message));
    const taken = transfer(KindsSchema, message);
    bytes[0] = 9;
    (message['int64List'] as bigint[]).push(2n);
    (message['textByText'] as Record<string, string>)['a'] = 'changed';
    Object.assign((message['children'] as object[])[0]!, { stringValue: 'changed' });
    (message['struct'] as { a: { b: number[] } }).a.b.push(2);
    Object.assign((message['choice'] as { value: object }).value, { stringValue: 'changed' });
    expect(shown(taken)).toBe(before);
  });

  it.each<[string, Members]>([
    ['a float that is none of 32 bits', { floatValue: 1.1 }],
    ['a float that becomes zero', { floatValue: 1e-60 }],
    ['a number for a bigint', { int64Value: 5 }],
    ['a text with half a surrogate pair', { stringValue: 'a\ud800b' }],
    ['a member that the message does not have', { more: 1 }],
    ['a symbol', { [Symbol('s')]: 1 }],
    ['a member that is undefined', { child: undefined }],
    ['no list of unknown fields', { $unknown: undefined }],
    ['unknown fields', { $unknown: [{ no: 900, wireType: 0, data: new Uint8Array([1]) }] }],
    ['a zero with a sign', { int32Value: -0 }],
    ['keys that become one', { textByText: { 'a\ud800': '1', 'a\ufffd': '2' } }],
    ['a key __proto__', { textByText: JSON.parse('{"__proto__": "x"}') as unknown }],
    ['a key __proto__ in a struct', { struct: JSON.parse('{"__proto__": 1}') as unknown }],
    ['a struct of many levels', { struct: JSON.parse('{"a":'.repeat(25) + '1' + '}'.repeat(25)) }],
  ])('with %s is what the wire makes of it', (_, odd) => {
    const wired = { ...odd, ...(odd['int64Value'] === 5 && { int64Value: 5n }) };
    expect(shown(transfer(KindsSchema, bent(odd)))).toBe(shown(overWire(KindsSchema, bent(wired))));
  });

  it.each<[string, Members]>([
    ['an integer with a fraction', { int32Value: 1.5 }],
    ['an integer out of range', { int32Value: 2 ** 40 }],
    ['a negative unsigned integer', { uint64Value: -1n }],
    ['an enum number with a fraction', { colour: 1.5 }],
    ['a number for a text', { stringValue: 5 }],
    ['what is undefined in a struct', { struct: { a: undefined } }],
    ['nothing in a list', { stringList: ['a', undefined] }],
    ['a hole in a list', { int64List: Array(2) }],
    ['a Map', { textByText: new Map([['a', 'b']]) }],
    ['a key that is no number', { int64ByInt64: { x: 1n } }],
    ['a oneof with a case that there is not', { choice: { case: 'nothing', value: 1 } }],
    ['a message of another type', { child: create(FileDescriptorProtoSchema) }],
  ])('is not taken as it is where it has %s', (_, odd) => {
    expect(tryTransfer(KindsSchema, bent(odd), Infinity)).toBeUndefined();
  });

  it('is not taken as it is where a getter throws', () => {
    const get = (): never => {
      throw new Error('no');
    };
    const message = Object.defineProperty(kinds(), 'stringValue', { enumerable: true, get });
    expect(tryTransfer(KindsSchema, message, Infinity)).toBeUndefined();
  });

  it('is read once, so that what was checked is what arrives', () => {
    let reads = 0;
    const message = Object.defineProperty(kinds(), 'int32Value', {
      enumerable: true,
      get: () => (reads++ === 0 ? 1 : 1.5),
    });
    expect(tryTransfer(KindsSchema, message, Infinity)).toMatchObject({ int32Value: 1 });
    expect(reads).toBe(1);
  });

  it('of a cycle is left to the wire', () => {
    const message = bent({});
    Object.assign(message, { child: message });
    expect(tryTransfer(KindsSchema, message, Infinity)).toBeUndefined();
  });
});

describe('a message of many levels', () => {
  /** Of so many levels, by what puts a level into another one. */
  const nested = <T>(levels: number, innermost: T, wrap: (inner: T) => T): T =>
    levels === 1 ? innermost : wrap(nested(levels - 1, innermost, wrap));

  it.each<[string, (inner: Message) => Members]>([
    ['a field', (child) => ({ child })],
    ['a list', (child) => ({ children: [child] })],
    ['a map', (child) => ({ kindsByText: { a: child } })],
    ['a oneof', (value) => ({ choice: { case: 'choiceKinds', value } })],
  ])('is left to the wire from 32 levels on, each in %s', (_, wrap) => {
    const message = (levels: number) => nested(levels, kinds(), (inner) => kinds(wrap(inner)));
    expect(tryTransfer(KindsSchema, message(31), Infinity)).toEqual(message(31));
    expect(tryTransfer(KindsSchema, message(32), Infinity)).toBeUndefined();
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ['objects', (inner) => ({ a: inner })],
    ['arrays', (inner) => [inner]],
  ])('is left to the wire with 12 levels of %s in a Struct', (_, wrap) => {
    const message = (levels: number) => kinds({ struct: { a: nested(levels, wrap(1), wrap) } });
    expect(tryTransfer(KindsSchema, message(9), Infinity)).toEqual(message(9));
    expect(tryTransfer(KindsSchema, message(12), Infinity)).toBeUndefined();
  });
});

const LONG = 'k'.repeat(5_000);
const many = <T>(item: T): T[] => Array.from({ length: 5_000 }, () => item);

describe('the limit of a transfer', () => {
  it('is never passed by a message that is taken', () => {
    fc.assert(
      fc.property(members, (init) => {
        const message = kinds(init);
        const { length } = toBinary(KindsSchema, message);
        expect(tryTransfer(KindsSchema, message, length - 1)).toBeUndefined();
      }),
    );
  });

  it.each<[string, Members]>([
    ['a text', { stringValue: LONG }],
    ['a text of three bytes a character', { stringValue: '€'.repeat(5_000) }],
    ['a text of a oneof', { choice: { case: 'choiceText', value: LONG } }],
    ['a text in a wrapper', { wrappedString: LONG }],
    ['bytes', { bytesValue: new Uint8Array(5_000) }],
    ['a list of the longest integers', { int64List: many(-1n) }],
    ['a list of empty texts', { stringList: many('') }],
    ['a list of empty messages', { children: Array.from({ length: 5_000 }, () => kinds()) }],
    ['a list of enums', { colours: many(-5) }],
    ['a key of a map', { textByText: { [LONG]: '' } }],
    ['a value of a map', { textByText: { a: LONG } }],
    ['a key of a Struct', { struct: { [LONG]: null } }],
    ['a key deep in a Struct', { struct: { a: [{ [LONG]: null }] } }],
    ['a text in a Struct', { struct: { a: LONG } }],
    ['a list of nulls in a Struct', { struct: { a: many(null) } }],
  ])('is not passed by %s alone', (_, init) => {
    const message = kinds(init);
    const { length } = toBinary(KindsSchema, message);
    expect(length).toBeGreaterThan(5_000);
    expect(tryTransfer(KindsSchema, message, length - 1)).toBeUndefined();
    expect(tryTransfer(KindsSchema, message, Infinity)).toBeDefined();
  });

  it('lets messages through that are well below it', () => {
    const message = kinds({ stringList: Array.from({ length: 100 }, () => 'a'.repeat(1_000)) });
    expect(tryTransfer(KindsSchema, message, 400_000)).toBeDefined();
  });
});

describe('a message of proto2', () => {
  const part = create(UninterpretedOption_NamePartSchema, { namePart: 'a', isExtension: false });

  it.each<[DescMessage, Message]>([
    [UninterpretedOption_NamePartSchema, part],
    [
      FileDescriptorProtoSchema,
      create(FileDescriptorProtoSchema, {
        name: '',
        dependency: ['a', 'b'],
        publicDependency: [1],
        syntax: 'proto2',
        messageType: [
          {
            name: 'A',
            field: [{ name: 'b', number: 1, type: Type.INT32, label: Label.OPTIONAL }],
            options: { uninterpretedOption: [{ name: [part], positiveIntValue: 5n }] },
          },
        ],
      }),
    ],
  ])('of type %s keeps what is set and what is not', (desc, message) => {
    const taken = tryTransfer(desc, message, Infinity)!;
    const wired = overWire(desc, message);
    expect(isDeepStrictEqual(taken, wired)).toBe(true);
    expect(Object.getPrototypeOf(taken)).toBe(Object.getPrototypeOf(wired));
    expect(shown(taken)).toBe(shown(wired));
  });

  it('without a required field is left to the wire', () => {
    const message = create(UninterpretedOption_NamePartSchema);
    expect(tryTransfer(UninterpretedOption_NamePartSchema, message, Infinity)).toBeUndefined();
    expect(() => transfer(UninterpretedOption_NamePartSchema, message)).toThrow(/required/);
  });

  it('with a number that its closed enum does not have is left to the wire', () => {
    const message = create(FeatureSetSchema, { fieldPresence: 99 as never });
    expect(tryTransfer(FeatureSetSchema, message, Infinity)).toBeUndefined();
  });

  it('is given up as soon as it is too large, however often it holds one message', () => {
    let visits = 0;
    const leaf = Object.defineProperty(kinds(), 'stringValue', {
      enumerable: true,
      get: () => `visit ${(visits += 1)}`,
    });
    let tree = kinds({ children: [leaf, leaf] });
    for (let level = 1; level < 12; level++) tree = bent({ children: [tree, tree] });
    expect(tryTransfer(KindsSchema, tree, 100_000)).toBeUndefined();
    expect(visits).toBeLessThan(1_000);
  });

  it.each<[string, (part: object) => Members]>([
    ['a Struct of the same part', (part) => ({ struct: { a: part, b: [part, part] } })],
    ['a Struct with a list of it', (part) => ({ struct: { a: [part, [part, part]] } })],
  ])('is given up inside %s', (_name, membersOf) => {
    let visits = 0;
    let part: object = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => (visits += 1),
    });
    for (let level = 0; level < 7; level++) part = { a: part, b: part, c: part, d: part };
    expect(tryTransfer(KindsSchema, bent(membersOf(part)), 100_000)).toBeUndefined();
    expect(visits).toBeLessThan(4_000);
  });
});
