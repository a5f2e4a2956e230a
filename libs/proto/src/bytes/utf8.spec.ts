import { Buffer, isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { lengthOfCharacter, writeCodePoint } from './utf8.js';

/** Bytes at the ends of every range that RFC 3629 has. */
const EDGES = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];

describe('a character beyond ASCII', () => {
  it('has as many bytes as the platform finds, whatever they are', () => {
    const differing: string[] = [];
    const bytes = Buffer.alloc(4);
    const check = (): void => {
      const valid = [2, 3, 4].filter((length) => isOneCharacter(bytes.subarray(0, length)));
      const length = lengthOfCharacter(bytes, 0, 4);
      if (length !== (valid[0] ?? 0)) differing.push(`${bytes.toString('hex')}: ${length}`);
    };
    for (let first = 0x80; first < 0x100; first++) {
      for (let second = 0; second < 0x100; second++) {
        for (const third of EDGES) {
          bytes.set([first, second, third, third === 0xbf ? 0x80 : 0xbf]);
          check();
          bytes[3] = 0x41;
          check();
        }
      }
    }
    expect(differing).toEqual([]);
  });

  it('is none where it goes beyond the end', () => {
    for (const character of ['ß', 'ℓ', '🍲']) {
      const bytes = Buffer.from(character);
      expect(lengthOfCharacter(bytes, 0, bytes.length)).toBe(bytes.length);
      expect(lengthOfCharacter(bytes, 0, bytes.length - 1)).toBe(0);
    }
  });

  it('is written as the platform writes it, half of a surrogate pair as U+FFFD', () => {
    const bytes = Buffer.alloc(4);
    const differing: number[] = [];
    for (let code = 0x80; code <= 0x10_ffff; code += code < 0x1_1000 ? 1 : 97) {
      const end = writeCodePoint(bytes, 0, code);
      if (!bytes.subarray(0, end).equals(Buffer.from(String.fromCodePoint(code)))) {
        differing.push(code);
      }
    }
    expect(differing).toEqual([]);
    expect(bytes.subarray(0, writeCodePoint(bytes, 0, 0xd800)).toString()).toBe('\ufffd');
  });
});

/** Whether the bytes are one character and not several. */
function isOneCharacter(bytes: Buffer): boolean {
  return isUtf8(bytes) && Array.from(bytes.toString()).length === 1;
}
