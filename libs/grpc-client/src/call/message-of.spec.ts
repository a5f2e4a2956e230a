import { type DescMessage, create, equals } from '@bufbuild/protobuf';
import {
  DurationSchema,
  EmptySchema,
  ListValueSchema,
  StructSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { ProtoRegistry } from '@apix/proto/core';
import { secretProtos } from '../../../../tools/testing/secret-protos.js';
import { messageOf } from './message-of.js';

const CASES = 'nullValue, numberValue, stringValue, boolValue, structValue, listValue';

/** A value that holds itself so many times. */
function nested(levels: number): object {
  let value: object = { kind: { case: 'boolValue', value: true } };
  for (let level = 0; level < levels; level += 1) {
    value = { kind: { case: 'listValue', value: { values: [value] } } };
  }
  return value;
}

describe('a message', () => {
  it.each<[string, DescMessage, unknown, Record<string, unknown>]>([
    ['nothing', DurationSchema, undefined, {}],
    ['null', DurationSchema, null, {}],
    ['an object in its shape', DurationSchema, { seconds: 5n }, { seconds: 5n }],
    ['an object without members', DurationSchema, {}, {}],
    [
      'an object whose oneof has a case',
      ValueSchema,
      { kind: { case: 'numberValue', value: 1 } },
      { kind: { case: 'numberValue', value: 1 } },
    ],
    ['an object whose oneof has none', ValueSchema, { kind: { case: undefined } }, {}],
    ['an object whose oneof is null', ValueSchema, { kind: null }, {}],
  ])('is made of %s', (_what, desc, given, expected) => {
    expect(equals(desc, messageOf(desc, given), create(desc, expected))).toBe(true);
  });

  it('that is one already stays the same', () => {
    const message = create(DurationSchema, { seconds: 5n });
    expect(messageOf(DurationSchema, message)).toBe(message);
  });

  it.each<[unknown, string]>([
    [5, '5'],
    ['5s', '"5s"'],
    [[], 'an object of type Array'],
    [new Date(0), 'an object of type Date'],
    [(function* () {})(), 'an object of type Generator'],
    [new Uint8Array(1), 'bytes'],
    [{ [Symbol.iterator]: () => [].values() }, 'what can be iterated'],
    [{ [Symbol.asyncIterator]: () => undefined }, 'what can be iterated'],
    [Promise.resolve({ seconds: 5n }), 'an object of type Promise'],
    [create(EmptySchema), 'a message google.protobuf.Empty'],
    [{ days: 1, weeks: 2 }, 'an object with other members (days, weeks)'],
  ])('is not made of %p', (given, got) => {
    expect(() => messageOf(DurationSchema, given)).toThrow(
      new Error(
        `google.protobuf.Duration: expected a message or an object in its shape, got ${got}`,
      ),
    );
  });

  it.each<[string, DescMessage, object, string]>([
    [
      'a case that there is not',
      ValueSchema,
      { kind: { case: 'dateValue', value: 1 } },
      `google.protobuf.Value.kind: expected an object with one of the cases ${CASES}, got "dateValue"`,
    ],
    [
      'a oneof that is no object',
      ValueSchema,
      { kind: 5 },
      `google.protobuf.Value.kind: expected an object with one of the cases ${CASES}, got 5`,
    ],
    [
      'a case whose message is none',
      ValueSchema,
      { kind: { case: 'listValue', value: new Date(0) } },
      'google.protobuf.Value.kind: expected a message or an object in its shape, got an object of type Date',
    ],
    [
      'an item of a list that is no message',
      ListValueSchema,
      { values: [{ kind: { case: undefined } }, 5] },
      'google.protobuf.ListValue.values[1]: expected a message or an object in its shape, got 5',
    ],
    [
      'a value of a map that is no message',
      StructSchema,
      { fields: { 'a b': 5 } },
      'google.protobuf.Struct.fields["a b"]: expected a message or an object in its shape, got 5',
    ],
  ])('names %s', (_what, desc, given, message) => {
    expect(() => messageOf(desc, given)).toThrow(new Error(message));
  });

  it('is not made of what is nested deeper than can be read', () => {
    expect(() => messageOf(ValueSchema, nested(49))).not.toThrow();
    expect(() => messageOf(ValueSchema, nested(51))).toThrow(/more than 100 levels of messages$/);
  });
});

describe('an error about a field with debug_redact', () => {
  const login = ProtoRegistry.load(secretProtos()).registry.getMessage('test.Login')!;

  it.each<[string, object]>([
    ['vault', { vault: 'hunter2' }],
    ['vault', { vault: { hunter2: 1 } }],
    ['proof', { proof: 'hunter2' }],
    ['proof', { proof: { case: 'hunter2' } }],
  ])('names %s and does not repeat its value: %j', (name, value) => {
    expect(() => messageOf(login, value)).toThrow(
      `test.Login.${name}: not a valid value, which is not shown because of debug_redact or visible`,
    );
  });
});
