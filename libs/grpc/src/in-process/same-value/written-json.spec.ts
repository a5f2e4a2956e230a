import { JsonCodec, wireCodec } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { probe } from '../../../../grpc-client/src/client.fixture.js';
import { messageOf } from '../../../../grpc-client/src/call/message-of.js';
import { Kinds } from './kinds.fixture.js';
import { VALUES } from './odd-values.fixture.js';

const codec = new JsonCodec(probe.registry);

function written(make: () => unknown): string | undefined {
  return codec.tryEncodeBytes(Kinds, messageOf(Kinds, make()), Infinity)?.toString();
}

function overWire(make: () => unknown): string {
  const wire = wireCodec(Kinds);
  return codec.encode(Kinds, wire.decode(wire.encode(messageOf(Kinds, make()))));
}

/** undefined where the message is left to the wire, which says what is wrong with it. */
function attempt(write: (make: () => unknown) => string | undefined, make: () => unknown) {
  try {
    return write(make);
  } catch {
    return undefined;
  }
}

const WRITTEN = VALUES.filter(([, make]) => attempt(written, make) !== undefined);

describe('the JSON that is written of an answer, without the wire between,', () => {
  it.each(WRITTEN)('of %s is that of the message over the wire', (_, make) => {
    expect(written(make)).toBe(overWire(make));
  });

  it('is written of many an odd message, and not of as many', () => {
    expect(WRITTEN.length).toBeGreaterThan(50);
    expect(VALUES.length - WRITTEN.length).toBeGreaterThan(50);
  });
});
