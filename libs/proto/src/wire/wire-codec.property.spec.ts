import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type DescMessage, type Message, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { kinds } from '../kinds.fixture.js';
import { type Random, randomFrom, randomWire } from './random-wire.fixture.js';
import { wireCodec } from './wire-codec.js';
import { WireError } from './wire-error.js';

const TYPES = [
  'apix.testdata.Kinds',
  'apix.testdata.Wired',
  'apix.testdata.Edited',
  'google.protobuf.FileDescriptorSet',
  'google.protobuf.Value',
  'google.protobuf.Struct',
];

const typeOf = (name: string): DescMessage => kinds.registry.getMessage(name)!;

/** The result of a function, or undefined if it throws. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A message without its unknown fields, at any depth. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.entries(value).flatMap(([key, it]) =>
    key === '$unknown' ? [] : [[key, named(it)]],
  );
}

function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes.subarray(0, bytes.length - (random(3) === 0 ? random(5) : 0)));
  for (let times = 1 + random(3); times > 0 && copy.length > 0; times--) {
    copy[random(copy.length)] = random(4) === 0 ? 0xff : random(256);
  }
  return copy;
}

describe('wireCodec against protobuf-es', () => {
  it.each(TYPES)('reads and writes the same %s', (name) => {
    const desc = typeOf(name);
    const codec = wireCodec(desc);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const bytes = randomWire(desc, randomFrom(seed));
        const expected = fromBinary(desc, bytes);
        const message = codec.decodePartial(bytes);
        if (!isDeepStrictEqual(message, expected)) expect(message).toEqual(expected);
        const written = attempt(() => Buffer.from(toBinary(desc, expected)).toString('hex'));
        expect(attempt(() => codec.encode(message).toString('hex'))).toBe(written);
      }),
      { numRuns: 500 },
    );
  });

  it.each(TYPES)('reads nothing else from damaged bytes of %s, and no more', (name) => {
    const desc = typeOf(name);
    const codec = wireCodec(desc);
    let refused = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomFrom(seed);
        const bytes = damaged(randomWire(desc, random), random);
        let message: Message;
        try {
          message = codec.decodePartial(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          refused++;
          return;
        }
        const expected = fromBinary(desc, bytes);
        // It loses the unknown values of a closed enum when another unknown field follows.
        if (!isDeepStrictEqual(message, expected)) expect(named(message)).toEqual(named(expected));
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});
