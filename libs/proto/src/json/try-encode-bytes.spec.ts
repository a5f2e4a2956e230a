import { type DescMessage, type Message, create } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { Dice } from '../differential/dice.fixture.js';
import { RandomMessages } from '../differential/random-messages.fixture.js';
import { randomTypes } from '../differential/random-types.fixture.js';
import { KindsSchema, kinds } from '../kinds.fixture.js';
import { wireCodec } from '../wire/wire-codec.js';
import { JsonCodec } from './json-codec.js';

type Members = Readonly<Record<PropertyKey, unknown>>;

const codec = new JsonCodec(kinds.registry);
const bent = (members: Members): Message => Object.assign(create(KindsSchema), members);

/** The JSON of what a receiver gets over the wire; undefined where there is none. */
function overWire(codec: JsonCodec, desc: DescMessage, message: Message): string | undefined {
  try {
    return codec.encode(desc, wireCodec(desc).decode(wireCodec(desc).encode(message)));
  } catch {
    return undefined;
  }
}

describe('tryEncodeBytes', () => {
  it('writes what the receiver of a message would write, of any type', () => {
    const tally = { written: 0, left: 0 };
    let most = 0;
    for (let world = 0; world < 60; world++) {
      const types = randomTypes(new Dice(world));
      const { registry, messages } = types;
      const codec = new JsonCodec(registry);
      for (let nth = 0; nth < 60; nth++) {
        const dice = new Dice(world * 1_009 + nth);
        const desc = dice.pick(messages);
        const message = new RandomMessages(dice, types, dice.chance(0.8)).message(desc);
        const written = codec.tryEncodeBytes(desc, message, Infinity)?.toString();
        tally[written === undefined ? 'left' : 'written'] += 1;
        if (written !== undefined) {
          const { length } = wireCodec(desc).encode(message);
          most = Math.max(most, length / (Buffer.byteLength(written) + 1));
        }
        const expected = written === undefined ? undefined : overWire(codec, desc, message);
        expect([desc.typeName, world, nth, written]).toEqual([desc.typeName, world, nth, expected]);
      }
    }
    expect(tally.written).toBeGreaterThan(1_500);
    expect(tally.left).toBeGreaterThan(100);
    // What saves measuring a small one.
    expect(most).toBeLessThanOrEqual(8);
  });

  it.each<[string, Members]>([
    ['unknown fields', { $unknown: [{ no: 900, wireType: 0, data: new Uint8Array([1]) }] }],
    [
      'unknown fields of a child',
      { child: bent({ $unknown: [{ no: 900, wireType: 0, data: new Uint8Array([1]) }] }) },
    ],
    [
      'unknown fields of a timestamp',
      {
        timestamp: {
          $typeName: 'google.protobuf.Timestamp',
          seconds: 1n,
          nanos: 0,
          $unknown: [{ no: 900, wireType: 0, data: new Uint8Array([1]) }],
        },
      },
    ],
    ['an Any', { any: create(kinds.registry.getMessage('google.protobuf.Any')!) }],
    ['a float that becomes zero', { floatValue: 1e-60 }],
    ['keys that become one', { textByText: { 'a\ud800': '1', 'a\ufffd': '2' } }],
    ['keys of a struct that become one', { struct: { 'a\ud800': '1', 'a\ufffd': '2' } }],
    ['a map of a class', { textByText: new (class Labels {})() }],
    ['a struct of a class', { struct: new (class Labels {})() }],
    ['a number for a bigint that lost digits', { int64Value: 2 ** 60 }],
    ['a case that the oneof does not have', { choice: { case: 'other', value: 1 } }],
    ['a fraction for an integer', { int32Value: 1.5 }],
    ['a struct of many levels', { struct: JSON.parse('{"a":'.repeat(25) + '1' + '}'.repeat(25)) }],
    [
      'lists of many levels in a struct',
      { struct: { a: JSON.parse('['.repeat(25) + '1' + ']'.repeat(25)) } },
    ],
  ])('leaves a message with %s to the wire', (_, odd) => {
    expect(codec.tryEncodeBytes(KindsSchema, bent(odd), Infinity)).toBeUndefined();
  });

  it.each([
    [30, true],
    [31, false],
  ])('writes a message of %d levels inside it: %s', (levels, isWritten) => {
    let message = bent({ stringValue: 'the last' });
    for (let level = 0; level < levels; level++) message = bent({ child: message });
    const written = codec.tryEncodeBytes(KindsSchema, message, Infinity);
    expect(written !== undefined).toBe(isWritten);
  });

  it.each([
    [Label.REPEATED, true],
    [99, false],
  ])('writes the number %d of a closed enum: %s', (label, isWritten) => {
    const message = Object.assign(create(FieldDescriptorProtoSchema), { label });
    const written = codec.tryEncodeBytes(FieldDescriptorProtoSchema, message, Infinity);
    expect(written !== undefined).toBe(isWritten);
  });

  it('leaves a message that holds itself to the wire', () => {
    const message = bent({});
    Object.assign(message, { child: message });
    expect(codec.tryEncodeBytes(KindsSchema, message, Infinity)).toBeUndefined();
  });

  it.each<[string, Members]>([
    ['texts', { stringValue: 'a'.repeat(1_000) }],
    ['texts that JSON escapes', { stringValue: '\n'.repeat(1_000) }],
    ['numbers that JSON has shorter', { struct: { a: Array.from({ length: 100 }, () => 1) } }],
    ['bytes', { bytesValue: new Uint8Array(1_000) }],
  ])('takes no more than the limit, in bytes of the wire, of %s', (_, members) => {
    const message = bent(members);
    const { length } = wireCodec(KindsSchema).encode(message);
    expect(codec.tryEncodeBytes(KindsSchema, message, length)).toBeDefined();
    expect(codec.tryEncodeBytes(KindsSchema, message, length - 1)).toBeUndefined();
  });
});
