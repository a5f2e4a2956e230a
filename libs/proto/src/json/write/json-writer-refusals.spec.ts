import { describe, expect, it } from '@jest/globals';
import { type Message, create } from '@bufbuild/protobuf';
import {
  AnySchema,
  DurationSchema,
  EmptySchema,
  FieldMaskSchema,
  TimestampSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { KindsSchema } from '../../kinds.fixture.js';
import { DemandingSchema, careless, streamed, written } from './written-json.fixture.js';

describe('what a message must not hold', () => {
  it.each<[string, object, string]>([
    [
      'int32 beyond 32 bits',
      { int32Value: 2 ** 40 },
      '$.int32Value: expected int32, got 1099511627776',
    ],
    ['int32 with a fraction', { int32Value: 1.5 }, '$.int32Value: expected int32, got 1.5'],
    ['int32 NaN', { int32Value: NaN }, '$.int32Value: expected int32, got NaN'],
    ['int32 as text', { int32Value: '1' }, '$.int32Value: expected int32, got "1"'],
    [
      'int32 that was deleted',
      { int32Value: undefined },
      '$.int32Value: expected int32, got undefined',
    ],
    ['uint32 below 0', { uint32Value: -1 }, '$.uint32Value: expected uint32, got -1'],
    ['uint64 below 0', { uint64Value: -1n }, '$.uint64Value: expected uint64, got -1n'],
    [
      'uint64 beyond 64 bits',
      { uint64Value: 2n ** 64n },
      '$.uint64Value: expected uint64, got 18446744073709551616n',
    ],
    [
      'int64 beyond 64 bits',
      { int64Value: 2n ** 63n },
      '$.int64Value: expected int64, got 9223372036854775808n',
    ],
    ['int64 with a fraction', { int64Value: 0.5 }, '$.int64Value: expected int64, got 0.5'],
    ['int64 in hexadecimal', { int64Value: '0x10' }, '$.int64Value: expected int64, got "0x10"'],
    ['int64 null', { int64Value: null }, '$.int64Value: expected int64, got null'],
    ['int64 false', { int64Value: false }, '$.int64Value: expected int64, got false'],
    ['a double as text', { doubleValue: '1' }, '$.doubleValue: expected double, got "1"'],
    ['a float beyond its range', { floatValue: 1e39 }, '$.floatValue: expected float, got 1e+39'],
    ['a number for a string', { stringValue: 7 }, '$.stringValue: expected string, got 7'],
    ['a number for a bool', { boolValue: 1 }, '$.boolValue: expected bool, got 1'],
    ['text for bytes', { bytesValue: 'AA==' }, '$.bytesValue: expected a Uint8Array, got "AA=="'],
    [
      'an enum with a fraction',
      { colour: 1.5 },
      '$.colour: expected a number of the enum apix.testdata.Colour, got 1.5',
    ],
    [
      'an enum by name',
      { colour: 'COLOUR_RED' },
      '$.colour: expected a number of the enum apix.testdata.Colour, got "COLOUR_RED"',
    ],
    [
      'a list that is none',
      { int64List: new Set([1n]) },
      '$.int64List: expected an array, got an object',
    ],
    [
      'undefined in a list',
      { stringList: ['a', undefined] },
      '$.stringList[1]: expected string, got undefined',
    ],
    [
      'null in a list of messages',
      { children: [null] },
      '$.children[0]: expected a message apix.testdata.Kinds, got null',
    ],
    [
      'a map that is an array',
      { textByText: ['a'] },
      '$.textByText: expected an object of entries, got an array',
    ],
    [
      'a map that is a Map',
      { textByText: new Map([['a', 'b']]) },
      '$.textByText: expected an object of entries, not a Map, got an object',
    ],
    [
      'a map key that is no number',
      { int64ByInt64: { x: 1n } },
      '$.int64ByInt64.x: expected a map key of type int64, got "x"',
    ],
    [
      'a map key with a zero before it',
      { int64ByInt64: { '01': 1n } },
      '$.int64ByInt64["01"]: expected a map key of type int64, got "01"',
    ],
    [
      'a map key beyond 64 bits',
      { int64ByInt64: { '9223372036854775808': 1n } },
      '$.int64ByInt64["9223372036854775808"]: expected a map key of type int64',
    ],
    [
      'a map key that is no bool',
      { doubleByBool: { yes: 1 } },
      '$.doubleByBool.yes: expected a map key of type bool, got "yes"',
    ],
    [
      'a wrong value in a map',
      { kindsByText: { 'a.b': careless({ boolValue: 0 }) } },
      '$.kindsByText["a.b"].boolValue: expected bool, got 0',
    ],
    [
      'an object that is no message',
      { child: {} },
      '$.child: expected a message apix.testdata.Kinds, got an object',
    ],
    [
      'a message of another type',
      { child: create(EmptySchema) },
      '$.child: expected a message apix.testdata.Kinds, got a message google.protobuf.Empty',
    ],
    [
      'an object for a message without fields',
      { empty: {} },
      '$.empty: expected a message google.protobuf.Empty, got an object',
    ],
    [
      'null for a message',
      { child: null },
      '$.child: expected a message apix.testdata.Kinds, got null',
    ],
    [
      'a Date for a Timestamp',
      { timestamp: new Date(0) },
      '$.timestamp: expected a message google.protobuf.Timestamp, got an object',
    ],
    [
      'a oneof that was deleted',
      { choice: undefined },
      '$.choice: expected an object with case and value, got undefined',
    ],
    [
      'a wrong value in a oneof',
      { choice: { case: 'choiceNumber', value: 1.5 } },
      '$.choiceNumber: expected uint64, got 1.5',
    ],
    [
      'a wrong value in a wrapper',
      { wrappedInt64: 1.5 },
      '$.wrappedInt64: expected int64, got 1.5',
    ],
    [
      'text for a Struct',
      { struct: 'a' },
      '$.struct: expected an object for google.protobuf.Struct, got "a"',
    ],
    [
      'undefined in a Struct',
      { struct: { a: [undefined] } },
      '$.struct.a[0]: expected a value that JSON has, got undefined',
    ],
    [
      'bigint in a Struct',
      { struct: { a: 1n } },
      '$.struct.a: expected a value that JSON has, got 1n',
    ],
    ['NaN in a Struct', { struct: { a: NaN } }, '$.struct.a: expected a finite number, got NaN'],
    [
      'a Value without a kind',
      { anyJson: create(ValueSchema) },
      '$.anyJson: google.protobuf.Value must have a value',
    ],
    [
      'an Any of an unknown type',
      { any: create(AnySchema, { typeUrl: 'x/no.Such' }) },
      '$.any: the type registry has no "x/no.Such" of this Any',
    ],
    [
      'an Any of broken bytes',
      { any: create(AnySchema, { typeUrl: 'x/apix.testdata.Kinds', value: Uint8Array.of(0xff) }) },
      '$.any: the value of this Any is not a message apix.testdata.Kinds',
    ],
    [
      'a path that cannot be read back',
      { mask: create(FieldMaskSchema, { paths: ['a', 'aB'] }) },
      '$.mask.paths[1]: the path "aB" of google.protobuf.FieldMask has no lowerCamelCase form',
    ],
    [
      'a path that is not a text',
      { mask: Object.assign(create(FieldMaskSchema), { paths: ['a', 5] }) },
      '$.mask.paths[1]: expected string, got 5',
    ],
    [
      'paths that are not a list',
      { mask: Object.assign(create(FieldMaskSchema), { paths: 'a' }) },
      '$.mask: expected an array of paths, got "a"',
    ],
    [
      'an Any whose type is not a text',
      { any: Object.assign(create(AnySchema), { typeUrl: 5 }) },
      '$.any: expected string as typeUrl, got 5',
    ],
    [
      'an Any whose value is not bytes',
      { any: Object.assign(create(AnySchema), { value: 'a' }) },
      '$.any: expected a Uint8Array as value, got "a"',
    ],
    [
      'a Timestamp whose nanos are not an integer',
      { timestamp: Object.assign(create(TimestampSchema), { nanos: 0.5 }) },
      '$.timestamp: expected int32 in nanos, got 0.5',
    ],
    [
      'a Timestamp of a second too many nanos',
      { timestamp: create(TimestampSchema, { nanos: 1_000_000_000 }) },
      '$.timestamp: nanos of google.protobuf.Timestamp out of range: 1000000000',
    ],
    [
      'a Timestamp before the year 1',
      { timestamp: create(TimestampSchema, { seconds: -62_135_596_801n }) },
      '$.timestamp: google.protobuf.Timestamp is outside of the years 1 to 9999',
    ],
    [
      'a Timestamp after the year 9999',
      { timestamp: create(TimestampSchema, { seconds: 253_402_300_800n }) },
      '$.timestamp: google.protobuf.Timestamp is outside of the years 1 to 9999',
    ],
    [
      'a Timestamp below 0 nanos',
      { timestamp: create(TimestampSchema, { nanos: -1 }) },
      '$.timestamp: nanos of google.protobuf.Timestamp out of range: -1',
    ],
    [
      'a Duration of two signs',
      { duration: create(DurationSchema, { seconds: 1n, nanos: -1 }) },
      '$.duration: seconds and nanos of google.protobuf.Duration differ in sign: 1, -1',
    ],
    [
      'a Duration that is too long',
      { duration: create(DurationSchema, { seconds: 315_576_000_001n }) },
      '$.duration: google.protobuf.Duration out of range',
    ],
    [
      'a Duration of too many nanos',
      { duration: create(DurationSchema, { nanos: 1_000_000_000 }) },
      '$.duration: google.protobuf.Duration out of range',
    ],
  ])('refuses %s and says where', (_, fields, message) => {
    const outer = careless({ children: [create(KindsSchema), careless(fields)] });
    expect(() => written(KindsSchema, outer)).toThrow(message.replace('$', '$.children[1]'));
  });

  it.each([
    ['an array', []],
    ['a number', 1],
    ['undefined', undefined],
    ['an async generator', (async function* () {})()],
  ])('refuses %s in place of a message', (_, value) => {
    const message = value as unknown as Message;
    expect(() => written(KindsSchema, message)).toThrow(
      '$: expected a message apix.testdata.Kinds',
    );
  });

  it('refuses a message without a required field', () => {
    const message = create(DemandingSchema, {
      text: 'a',
      child: {},
    });
    expect(() => written(DemandingSchema, message)).toThrow(
      '$.child.text: the required field is not set',
    );
    expect(() => streamed(DemandingSchema, Uint8Array.of())).toThrow(
      '$.text: the required field is not set',
    );
  });

  it('names a place once that a key without its half surrogate pair leads to', () => {
    const message = careless({ kindsByText: { '\ud800': careless({ int32Value: 1.5 }) } });
    expect(() => written(KindsSchema, message)).toThrow(
      '$.kindsByText["\ufffd"].int32Value: expected int32, got 1.5',
    );
  });

  it('passes on what a getter throws', () => {
    const message = careless({});
    Object.defineProperty(message, 'stringValue', {
      get: () => {
        throw new Error('not today');
      },
    });
    expect(() => written(KindsSchema, message)).toThrow('not today');
  });
});
