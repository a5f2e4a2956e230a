import { describe, expect, it } from '@jest/globals';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { JsonCodec } from '../json-codec.js';
import { JsonDecodeError } from '../json-decode-error.js';

const codec = new JsonCodec(kinds.registry);
const wire = wireCodec(KindsSchema);

/** What a message may hold inside, and how many levels of messages that adds. */
const INNER: readonly (readonly [string, number, string])[] = [
  ['a field of its own', 0, '"stringValue":"a"'],
  ['an unset message', 0, '"child":null'],
  ['a message without fields', 1, '"empty":{}'],
  ['a Timestamp', 1, '"timestamp":"2020-01-01T00:00:00Z"'],
  ['a Duration', 1, '"duration":"1s"'],
  ['a FieldMask', 1, '"mask":"a"'],
  ['a wrapper', 1, '"wrappedInt64":"1"'],
  ['a wrapper in a list', 1, '"wrappedList":["1"]'],
  ['a message in a map', 1, '"kindsByText":{"a":{}}'],
  ['an empty Any', 1, '"any":{}'],
  ['a Value', 1, '"anyJson":1'],
  ['a null as Value', 1, '"anyJson":null'],
  ['an empty list as Value', 2, '"anyJson":[]'],
  ['a list as Value', 3, '"anyJson":[1]'],
  ['an object in a list as Value', 5, '"anyJson":[{"a":""}]'],
  ['an empty Struct', 1, '"struct":{}'],
  ['a Struct', 2, '"struct":{"a":true}'],
  ['a Struct in a Struct', 4, '"struct":{"a":{"b":1}}'],
];

function nested(levels: number, inner: string): string {
  return `${'{"child":'.repeat(levels - 1)}{${inner}}${'}'.repeat(levels - 1)}`;
}

describe('JSON with messages inside one another', () => {
  it.each(INNER)('is read as deep as the wire takes it: %s', (_name, added, inner) => {
    const deepest = nested(100 - added, inner);
    const message = codec.decode(KindsSchema, deepest);
    expect(wire.decode(wire.encode(message))).toEqual(message);
    expect(wire.decode(codec.toWire(KindsSchema, deepest))).toEqual(message);
    const deeper = nested(101 - added, inner);
    expect(() => codec.decode(KindsSchema, deeper)).toThrow(JsonDecodeError);
    expect(() => codec.toWire(KindsSchema, deeper)).toThrow(/messages nested deeper than 100/);
  });

  it('counts the message that a value belongs to where it is read for one field', () => {
    const { child } = KindsSchema.field;
    const message = codec.decodeField(child!, nested(99, '"int32Value":1'));
    expect(wire.decode(wire.encode(message))).toEqual(message);
    expect(() => codec.decodeField(child!, nested(100, ''))).toThrow(/nested deeper than 100/);
  });

  it('counts an Any and what it holds', () => {
    const any = (levels: number): string =>
      levels === 0
        ? '{}'
        : `{"@type":"type.googleapis.com/google.protobuf.Any","value":${any(levels - 1)}}`;
    expect(() => codec.decode(AnySchema, any(99))).not.toThrow();
    expect(() => codec.toWire(AnySchema, any(99))).not.toThrow();
    expect(() => codec.decode(AnySchema, any(100))).toThrow(/nested deeper than 100/);
  });
});
