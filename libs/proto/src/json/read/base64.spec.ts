import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { create } from '@bufbuild/protobuf';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { JsonCodec } from '../json-codec.js';

const codec = new JsonCodec(kinds.registry);
const wire = wireCodec(KindsSchema);

/** What both ways read as bytes, in hexadecimal; `refused` where both refuse it. */
function read(text: string): string {
  const json = `{"bytesValue":${text}}`;
  const ways = [
    () => codec.decode(KindsSchema, json),
    () => wire.decode(codec.toWire(KindsSchema, json)),
  ];
  const [first, second] = ways.map((way) => {
    try {
      const { bytesValue } = way() as unknown as { bytesValue: Uint8Array };
      return Buffer.from(bytesValue).toString('hex');
    } catch (error) {
      return String(error).includes('$.bytesValue: invalid base64') ? 'refused' : String(error);
    }
  });
  expect(second).toBe(first);
  return first!;
}

/** By the rule of RFC 4648, told by other means. */
function expected(text: string): string {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits !== text;
  const isWhole = isPadded ? text.length % 4 === 0 : digits.length % 4 !== 1;
  if (!isWhole || !/^[\w+/-]*$/.test(digits)) return 'refused';
  return Buffer.from(digits, 'base64').toString('hex');
}

describe('base64 in JSON', () => {
  it('is read in both alphabets, with padding and without', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        const padded = buffer.toString('base64');
        const url = buffer.toString('base64url');
        const texts = [
          padded,
          padded.replaceAll('=', ''),
          url,
          `${url}${'='.repeat((4 - (url.length % 4)) % 4)}`,
        ];
        const hex = buffer.toString('hex');
        expect(texts.map((text) => read(`"${text}"`))).toEqual([hex, hex, hex, hex]);
        expect(read(`"${padded.replaceAll('/', '\\/')}"`)).toBe(hex);
      }),
    );
  });

  it('is refused or read by its characters and its length', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'z', '9', '+', '_', '=', ' ', 'ß', '*'),
      maxLength: 9,
    });
    fc.assert(
      fc.property(text, (one) => expect(read(`"${one}"`)).toBe(expected(one))),
      { numRuns: 2_000 },
    );
  });

  it('becomes bytes that have memory of their own', () => {
    const message = codec.decode(KindsSchema, '{"bytesValue":"AAEC"}');
    expect(message).toEqual(create(KindsSchema, { bytesValue: Uint8Array.of(0, 1, 2) }));
    const { bytesValue } = message as unknown as { bytesValue: Uint8Array };
    expect(bytesValue.buffer.byteLength).toBe(3);
  });
});
