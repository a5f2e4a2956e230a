import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineAndColumn } from './line-and-column.js';

const piece = fc.constantFrom(
  '\n',
  '\n\n\n',
  '\r',
  '\t',
  'a',
  ' ',
  '\u0080',
  'ß',
  '東',
  '😀',
  '\u008a',
  '\u{10ffff}',
);

describe('the place in a document', () => {
  it('is the line and the unit of UTF-16 that a text has there', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(piece), (before, after) => {
        const text = before.join('');
        const bytes = Buffer.from(`${text}${after.join('')}`);
        const lines = text.split('\n');
        expect(lineAndColumn(bytes, Buffer.byteLength(text))).toBe(
          `line ${lines.length}, column ${lines.at(-1)!.length + 1}`,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
