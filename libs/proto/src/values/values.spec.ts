import { ScalarType } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { kinds } from '../kinds.fixture.js';
import { enumCheck, scalarCheck } from './scalar-value.js';
import { listValue, mapValue, messageValue, oneofValue, refuseCase } from './holder-value.js';
import { mapKeyCheck, type MapKeyType } from './map-key.js';
import { ValueError, entryStep, within } from './value-error.js';

const Kinds = kinds.registry.getMessage('apix.testdata.Kinds')!;
const { DOUBLE, FLOAT, INT32, SINT32, SFIXED32, UINT32, FIXED32 } = ScalarType;
const { INT64, SINT64, SFIXED64, UINT64, FIXED64, BOOL, STRING, BYTES } = ScalarType;

describe('scalarCheck', () => {
  it.each([
    [INT32, -(2 ** 31), -(2 ** 31)],
    [SINT32, 2 ** 31 - 1, 2 ** 31 - 1],
    [SFIXED32, -0, 0],
    [UINT32, 2 ** 32 - 1, 2 ** 32 - 1],
    [FIXED32, -0, 0],
    [INT64, -(2n ** 63n), -(2n ** 63n)],
    [SINT64, 7, 7n],
    [SFIXED64, '-12', -12n],
    [UINT64, 2n ** 64n - 1n, 2n ** 64n - 1n],
    [FIXED64, '18446744073709551615', 2n ** 64n - 1n],
    [FLOAT, 0.1, Math.fround(0.1)],
    [FLOAT, -0, -0],
    [FLOAT, Infinity, Infinity],
    [FLOAT, NaN, NaN],
    [DOUBLE, 0.1, 0.1],
    [DOUBLE, -Infinity, -Infinity],
    [BOOL, false, false],
    [STRING, 'a\u00e9😀', 'a\u00e9😀'],
    [STRING, 'x\ud800y', 'x\ufffdy'],
  ])('gives what the wire makes of it: type %s, %p', (type, value, expected) => {
    expect(Object.is(scalarCheck(type)(value), expected)).toBe(true);
  });

  it.each([
    [INT32, 2 ** 31, 'expected an integer (int32), got 2147483648'],
    [SINT32, 1.5, 'expected an integer (int32), got 1.5'],
    [SFIXED32, NaN, 'expected an integer (int32), got NaN'],
    [INT32, '5', 'expected an integer (int32), got "5"'],
    [INT32, 5n, 'expected an integer (int32), got 5n'],
    [INT32, { valueOf: () => 5 }, 'expected an integer (int32), got an object'],
    [UINT32, -1, 'expected an integer (uint32), got -1'],
    [FIXED32, 2 ** 32, 'expected an integer (uint32), got 4294967296'],
    [INT64, 2n ** 63n, 'expected a bigint (int64), got 9223372036854775808n'],
    [INT64, 2 ** 53, 'expected a bigint (int64), got 9007199254740992'],
    [SINT64, 1.5, 'expected a bigint (int64), got 1.5'],
    [SFIXED64, '0x10', 'expected a bigint (int64), got "0x10"'],
    [SFIXED64, '', 'expected a bigint (int64), got ""'],
    [UINT64, -1n, 'expected a bigint (uint64), got -1n'],
    [FIXED64, '-1', 'expected a bigint (uint64), got "-1"'],
    [UINT64, 1n << 200n, 'expected a bigint (uint64), got a bigint of more than 128 bits'],
    [FLOAT, 1e39, 'expected a number (float), got 1e+39'],
    [FLOAT, '1', 'expected a number (float), got "1"'],
    [DOUBLE, 1n, 'expected a number (double), got 1n'],
    [BOOL, 1, 'expected a boolean, got 1'],
    [BOOL, null, 'expected a boolean, got null'],
    [STRING, 5, 'expected a string, got 5'],
    [STRING, undefined, 'expected a string, got undefined'],
    [STRING, ['a'], 'expected a string, got an array of 1'],
    [STRING, Symbol('s'), 'expected a string, got a symbol'],
    [STRING, () => 's', 'expected a string, got a function'],
    [BYTES, 'YQ==', 'expected a Uint8Array, got "YQ=="'],
    [BYTES, 'x'.repeat(31), 'expected a Uint8Array, got a string of 31 characters'],
    [BYTES, Object.create(Uint8Array.prototype), 'expected a Uint8Array, got an object'],
    [STRING, new Uint8Array(3), 'expected a string, got bytes (3)'],
    [STRING, { $typeName: 'a.B' }, 'expected a string, got a message a.B'],
  ])('refuses what the type cannot hold: type %s, %p', (type, value, problem) => {
    expect(() => scalarCheck(type)(value)).toThrow(new ValueError(problem));
  });

  it('gives texts of 64-bit integers where the field keeps texts', () => {
    expect(scalarCheck(INT64, true)(-5n)).toBe('-5');
    expect(scalarCheck(UINT64, true)('5')).toBe('5');
    expect(() => scalarCheck(UINT64, true)('05')).toThrow('expected a bigint (uint64), got "05"');
    expect(scalarCheck(INT32, true)(5)).toBe(5);
  });

  it('gives bytes as they are', () => {
    const bytes = Buffer.from('ab');
    expect(scalarCheck(BYTES)(bytes)).toBe(bytes);
  });
});

describe('mapKeyCheck', () => {
  it.each<[MapKeyType, string, unknown]>([
    [STRING, '__proto__', '__proto__'],
    [STRING, '\udc00', '\ufffd'],
    [BOOL, 'true', true],
    [INT32, '-5', -5],
    [UINT32, '4294967295', 4294967295],
    [INT64, '-9223372036854775808', -(2n ** 63n)],
    [UINT64, '0', 0n],
  ])('gives the key of a name: type %s, %s', (type, name, key) => {
    expect(mapKeyCheck(type)(name)).toBe(key);
  });

  it.each<[MapKeyType, string, string]>([
    [BOOL, '1', 'expected a key that is "true" or "false", got "1"'],
    [INT32, '01', 'expected a key that is an integer (int32), got "01"'],
    [INT32, '1.5', 'expected a key that is an integer (int32), got "1.5"'],
    [INT32, '2147483648', 'expected a key that is an integer (int32), got "2147483648"'],
    [UINT32, '-1', 'expected a key that is an integer (uint32), got "-1"'],
    [UINT32, '', 'expected a key that is an integer (uint32), got ""'],
    [INT64, '0x1', 'expected a key that is an integer (int64), got "0x1"'],
    [UINT64, '-1', 'expected a key that is an integer (uint64), got "-1"'],
  ])('refuses a name that is no key: type %s, %s', (type, name, problem) => {
    expect(() => mapKeyCheck(type)(name)).toThrow(new ValueError(problem));
  });
});

describe('enumCheck', () => {
  it('takes every int32 for an open enum and nothing else', () => {
    const field = Kinds.field['colour']!;
    const check = enumCheck(field as typeof field & { fieldKind: 'enum' });
    expect(check(77)).toBe(77);
    expect(() => check(1.5)).toThrow('expected a number of enum apix.testdata.Colour, got 1.5');
    expect(() => check('COLOUR_RED')).toThrow('got "COLOUR_RED"');
  });
});

describe('what holds values', () => {
  it('is an array for a list', () => {
    expect(listValue([1])).toEqual([1]);
    expect(() => listValue({ length: 0 })).toThrow('expected an array, got an object');
  });

  it('is an object with members for a map', () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(mapValue(bare)).toBe(bare);
    expect(mapValue({})).toEqual({});
    for (const value of [new Map([['a', 1]]), new Set(), new Date(), [], new Uint8Array(1), 'a']) {
      expect(() => mapValue(value)).toThrow('expected an object with the entries of a map');
    }
  });

  it('is a message of the very type for a message', () => {
    expect(() => messageValue({ $typeName: 'a.B' }, Kinds)).toThrow(
      'expected a message apix.testdata.Kinds, got a message a.B',
    );
    expect(() => messageValue([], Kinds)).toThrow('got an array of 0');
    expect(() => messageValue(null, Kinds)).toThrow('got null');
  });

  it('is an object for a oneof, with a case that the oneof has', () => {
    expect(() => oneofValue(undefined)).toThrow('expected an object with the case of the oneof');
    expect(() => refuseCase('x', ['a', 'b'])).toThrow(
      'expected a case of the oneof (a, b), got "x"',
    );
  });
});

describe('ValueError', () => {
  it('names the place, step by step from the inside out', () => {
    const error = new ValueError('expected a string, got 5');
    for (const step of ['.name', '[1]', '.lines', 'shop.v1.Order']) {
      expect(within(step, error)).toBe(error);
    }
    expect(error.message).toBe('shop.v1.Order.lines[1].name: expected a string, got 5');
  });

  it('leaves other errors as they are', () => {
    const error = new TypeError('of a getter');
    expect(within('.name', error)).toBe(error);
    expect(error.message).toBe('of a getter');
  });

  it('quotes and cuts the keys of maps', () => {
    expect(entryStep('a"b')).toBe('["a\\"b"]');
    expect(entryStep('x'.repeat(61))).toBe(`["${'x'.repeat(60)}…"]`);
  });
});
