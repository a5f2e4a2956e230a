import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompressionError } from './compression-error.js';
import { HeaderDecoder } from './header-decoder.js';
import { HeaderEncoder } from './header-encoder.js';
import { huffmanText } from './huffman.js';

type Pairs = readonly (readonly [string, string])[];

function decoded(decoder: HeaderDecoder, block: Buffer): Pairs {
  const headers: [string, string][] = [];
  decoder.decode(block, ({ name, value }) => headers.push([name, value]));
  return headers;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('a decoder of header blocks', () => {
  it('reads the blocks of a connection one after the other (RFC 7541, C.4)', () => {
    const decoder = new HeaderDecoder();
    const first: Pairs = [
      [':method', 'GET'],
      [':scheme', 'http'],
      [':path', '/'],
      [':authority', 'www.example.com'],
    ];
    expect(decoded(decoder, hex('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'))).toEqual(first);
    expect(decoded(decoder, hex('8286 84be 5886 a8eb 1064 9cbf'))).toEqual([
      ...first,
      ['cache-control', 'no-cache'],
    ]);
    expect(
      decoded(decoder, hex('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')),
    ).toEqual([
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/index.html'],
      [':authority', 'www.example.com'],
      ['custom-key', 'custom-value'],
    ]);
  });

  it.each([
    ['an index that nothing has', 'ff00'],
    ['the index 0', '80'],
    ['a text that is cut off', '0005 6162'],
    ['a number without an end', 'ffff ffff ffff ffff ff'],
    ['a number that is cut off', 'ff'],
    ['a table above the limit', '3fe2 1f'],
    ['a size of the table after headers', '8220'],
    ['the end of a text in the midst of it', '0084 ffff ffff 00'],
    ['a padding of a whole byte', '0082 07ff 00'],
    ['a padding of zeros', '0081 0000'],
  ])('refuses %s', (_what, block) => {
    expect(() => decoded(new HeaderDecoder(), hex(block))).toThrow(CompressionError);
  });

  it('refuses, or reads, whatever bytes there are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }), (blocks) => {
        const decoder = new HeaderDecoder();
        for (const block of blocks) {
          try {
            decoded(decoder, Buffer.from(block));
          } catch (error) {
            if (!(error instanceof CompressionError)) throw error;
            return;
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps no more than its table has room for', () => {
    const decoder = new HeaderDecoder();
    const literal = Buffer.concat([hex('4001 61 7f 81 07'), Buffer.alloc(1_024, 'x')]);
    for (let n = 0; n < 10; n += 1) decoded(decoder, literal);
    // Three of 1,057 bytes each are at 62, 63 and 64.
    expect(decoded(decoder, hex('c0'))).toEqual([['a', 'x'.repeat(1_024)]]);
    expect(() => decoded(decoder, hex('c1'))).toThrow(CompressionError);
  });
});

describe('an encoder of header blocks', () => {
  const name = fc.constantFrom('a', 'x-long-name', 'cookie', ':path', 'authorization', 'te');
  const value = fc.oneof(
    fc.constantFrom('', '1', 'trailers', '/a/B'),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[^ -~]/g, 'x')),
    fc.integer({ min: 0, max: 6_000 }).map((length) => 'y'.repeat(length)),
  );
  const block = fc.array(fc.tuple(name, value), { maxLength: 8 });
  const resize = fc.constantFrom(0, 40, 100, 4_096, 65_536);

  it('is understood by a decoder, whatever sizes of the table are asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(block, resize), { maxLength: 40 }), (steps) => {
        const encoder = new HeaderEncoder();
        const decoder = new HeaderDecoder();
        for (const step of steps) {
          if (typeof step === 'number') encoder.resize(step);
          else expect(decoded(decoder, encoder.encode(step.flat(), 0))).toEqual(step);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes one byte for a header that comes again, and again', () => {
    const encoder = new HeaderEncoder();
    const lengths = [1, 2, 3].map(() => encoder.encode(['x-tenant', 'acme'], 0).length);
    expect(lengths).toEqual([15, 15, 1]);
  });

  it('knows a header that is in the table twice, because its name was forgotten, until both are evicted', () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder();
    const lengthOf = (header: string[], times = 1): number => {
      let length = 0;
      for (let n = 0; n < times; n += 1) {
        const block = encoder.encode(header, 0);
        expect(decoded(decoder, block)).toEqual([header]);
        ({ length } = block);
      }
      return length;
    };
    expect(lengthOf(['x-a', '1'], 3)).toBe(1);
    for (let n = 0; n < 300; n += 1) lengthOf([`n-${n}`, '']);
    expect(lengthOf(['x-a', '1'], 3)).toBe(1);
    // With the two of 36 bytes the table is full; what comes then evicts the first of them.
    for (let n = 0; n < 8; n += 1) lengthOf([`f${n}`, 'y'.repeat(469)], 2);
    lengthOf(['x-z', '1'], 2);
    expect(lengthOf(['x-a', '1'])).toBe(1);
    lengthOf(['x-y', '1'], 2);
    expect(lengthOf(['x-a', '1'])).toBeGreaterThan(1);
  });

  it('keeps neither secrets nor what is different each time', () => {
    const encoder = new HeaderEncoder();
    for (let n = 0; n < 3; n += 1) {
      const block = encoder.encode(['authorization', 'Bearer t', 'x-id', `${n}`], 0);
      expect([block[0]! & 0xf0, block.length]).toEqual([0x10, 19]);
    }
  });
});

describe('a text in the code of Huffman', () => {
  it('is any bytes, also the rarest', () => {
    // The codes of 10 and 13, of 30 bits each, and four bits of padding.
    expect(huffmanText(hex('ffff fff3 ffff ffdf'), 0, 8)).toBe('\n\r');
  });
});
