import { describe, expect, it } from '@jest/globals';
import {
  type DescMessage,
  type Message,
  create,
  fromBinary,
  fromJson,
  toBinary,
} from '@bufbuild/protobuf';
import fc from 'fast-check';
import { JsonCodec } from '../json/json-codec.js';
import { KindsSchema, kinds } from '../kinds.fixture.js';
import { tryTransfer } from '../transfer/transfer.js';
import { randomFrom, randomWire } from '../wire/random-wire.fixture.js';
import { wireCodec } from '../wire/wire-codec.js';
import { needy } from './needy.fixture.js';
import { missingField } from './required-fields.js';

const typeOf = (name: string): DescMessage => needy.registry.getMessage(`needy.${name}`)!;
const Order = typeOf('Order');
const read = (json: object): Message => fromJson(Order, { orderName: 'a', ...json });

/** Whether protobuf-es refuses to write it; what else it refuses is of no interest here. */
function isRefused(desc: DescMessage, message: Message): boolean {
  try {
    toBinary(desc, message);
    return false;
  } catch (error) {
    expect(String(error)).toContain('required field not set');
    return true;
  }
}

describe('missingField', () => {
  it.each([
    [{ part: {} }, '$.part.skuCode'],
    [{ parts: [{ skuCode: '' }, {}] }, '$.parts[1].skuCode'],
    [{ byKey: { a: { skuCode: '' }, 'b c': {} } }, '$.byKey["b c"].skuCode'],
    [{ byKey: { __proto__x: {} } }, '$.byKey.__proto__x.skuCode'],
    [{ chosen: {} }, '$.chosen.skuCode'],
  ])('finds what %j lacks', (json, place) => {
    expect(missingField(Order, read(json))).toBe(place);
    expect(isRefused(Order, read(json))).toBe(true);
  });

  it.each([
    {},
    { part: { skuCode: '' } },
    { parts: [], byKey: {}, text: '' },
    { chosen: { skuCode: 'a' } },
  ])('finds nothing in %j', (json) => {
    expect(missingField(Order, read(json))).toBeUndefined();
  });

  it('looks at no type that cannot lack any', () => {
    const untouchable = new Proxy(create(KindsSchema), {
      get: () => {
        throw new Error('was looked at');
      },
    });
    const json = kinds.registry.getMessage('google.protobuf.Value')!;
    expect(missingField(json, untouchable)).toBeUndefined();
  });

  it.each(['Wired', 'Demanding', 'Sized', 'Needy'])(
    'finds something in a %s if protobuf-es would not write it',
    (name) => {
      const desc = kinds.registry.getMessage(`apix.testdata.${name}`)!;
      let lacking = 0;
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const bytes = randomWire(desc, randomFrom(seed));
          const message = fromBinary(desc, bytes);
          const place = missingField(desc, message);
          expect(place !== undefined).toBe(isRefused(desc, message));
          if (place === undefined) return;
          lacking += 1;
          // Our writer finds the same fault, of which there may be several.
          expect(() => wireCodec(desc).encode(message)).toThrow('a required field');
          expect(() => wireCodec(desc).decode(bytes)).toThrow(`the required field ${place} is`);
        }),
        { numRuns: 300 },
      );
      expect(lacking).toBeGreaterThan(10);
    },
  );
});

describe('a message without the message that it must hold', () => {
  const Box = typeOf('Box');

  it('is not handed over without the wire, which refuses it', () => {
    expect(tryTransfer(Box, create(Box), Infinity)).toBeUndefined();
    const full = fromJson(Box, { onlyPart: { skuCode: '' } });
    expect(tryTransfer(Box, full, Infinity)).toEqual(full);
  });

  it('is no JSON, in either direction', () => {
    const json = new JsonCodec(needy.registry);
    expect(() => json.encode(Box, create(Box))).toThrow('$.onlyPart: the required field');
    expect(json.tryEncodeBytes(Box, create(Box), 1_000)).toBeUndefined();
    expect(() => json.fromWire(Box, new Uint8Array())).toThrow('$.onlyPart: the required field');
    expect(() => json.toWire(Box, '{}')).toThrow('$.onlyPart: the required field');
  });
});
