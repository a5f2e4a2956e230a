import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { ByteWindow } from './windows.js';

const SIZES = [0, 1, 63, 64, 65, 300, 2047, 2048, 2049, 8192, 8193];

/** Bytes with others before them, as those of a pool have. */
function numbered(length: number): Buffer {
  const bytes = Buffer.alloc(length + 3);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7 + (i >> 8)) & 0xff;
  return bytes.subarray(3);
}

describe('a window of bytes', () => {
  it.each(SIZES)('cuts out what is there, one after the other: %d bytes each', (size) => {
    const bytes = numbered(size * 40 + 40);
    const window = new ByteWindow(bytes);
    const cut = Array.from({ length: 40 }, (_, i) =>
      window.slice(i * (size + 1), i * (size + 1) + size),
    );
    const expected = cut.map((_, i) =>
      bytes.toString('hex', i * (size + 1), i * (size + 1) + size),
    );
    bytes.fill(0);
    expect(cut.map((part) => Buffer.from(part).toString('hex'))).toEqual(expected);
    expect(cut.every(({ constructor }) => constructor === Uint8Array)).toBe(true);
    cut[0]!.fill(0);
    expect(Buffer.from(cut[1]!).toString('hex')).toBe(expected[1]);
  });

  it('cuts out what is before it, too', () => {
    const bytes = numbered(30_000);
    const window = new ByteWindow(bytes);
    for (const from of [20_000, 20_100, 100, 20_200, 0, 29_900, 8_100]) {
      expect(Buffer.from(window.slice(from, from + 100))).toEqual(bytes.subarray(from, from + 100));
    }
  });

  it('keeps 8 KB for bytes that are kept, and nothing else for short ones', () => {
    const window = new ByteWindow(numbered(100_000));
    const kept = (length: number): number => {
      window.slice(0, length);
      return window.slice(50_000, 50_000 + length).buffer.byteLength;
    };
    expect([16, 64, 65, 2048, 2049].map(kept)).toEqual([16, 64, 8192, 8192, 2049]);
  });
});
