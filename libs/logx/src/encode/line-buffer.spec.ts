import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeJson } from '../value/json-text.js';
import { fragmentOf, LineBuffer } from './line-buffer.js';

/** Something that is added to a line, and the text that it should become there. */
type Part = (line: LineBuffer, before: string) => string;

function anyPart(): fc.Arbitrary<Part> {
  const latin = fc.string({ unit: fc.constantFrom('a', '"', '\u007f', '\u0080', 'é', 'ÿ') });
  const text = fc.oneof(fc.string({ maxLength: 100 }), fc.string({ unit: 'grapheme' }), latin);
  const escaped = fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), latin);
  const aroundPowers = fc
    .tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: -1, max: 1 }))
    .map(([exponent, more]) => 10 ** exponent + more);
  const number = fc.oneof(
    fc.integer(),
    aroundPowers,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  return fc.oneof(
    text.map(
      (value): Part =>
        (line) => (line.addText(value), value),
    ),
    text.map(
      (value): Part =>
        (line) => (line.add(fragmentOf(value)), value),
    ),
    number.map(
      (value): Part =>
        (line) => (line.addNumber(value), String(value)),
    ),
    fc.constant<Part>((line) => (line.addByte(0x22), '"')),
    escaped.map(
      (value): Part =>
        (line) => (line.addEscaped(value), escapeJson(value)),
    ),
    escaped.map(
      (value): Part =>
        (line) => (line.addQuoted(value), `"${escapeJson(value)}"`),
    ),
    fc.constant<Part>((line, before) => (line.addAgain(0, line.end), before)),
  );
}

describe('LineBuffer', () => {
  it('holds what was added, whatever it is, as bytes and as a text', () => {
    const line = new LineBuffer();
    fc.assert(
      fc.property(fc.array(anyPart(), { maxLength: 14 }), (parts) => {
        line.clear();
        let text = '';
        for (const part of parts) text += part(line, text);
        expect(line.toString()).toBe(text);
        expect(line.bytes.subarray(0, line.end).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('begins lines with their heads, also with one that it holds from the line before', () => {
    const line = new LineBuffer();
    const heads = ['{"level":"info"', '{"level":"warn","time":1', ''].map(
      (start) => [start, fragmentOf(start)] as const,
    );
    const rest = fc.oneof(fc.string({ maxLength: 30 }), fc.constant('x'.repeat(300_000)));
    const lines = fc.array(fc.tuple(fc.constantFrom(...heads), rest), { maxLength: 14 });
    fc.assert(
      fc.property(lines, (all) => {
        for (const [[start, head], text] of all) {
          line.clear();
          line.begin(head);
          line.addText(text);
          expect(line.toString()).toBe(start + text);
        }
      }),
    );
  });

  it('keeps all bytes of UTF-8 in prepared parts and copies, those next to the bits of a NaN too', () => {
    const line = new LineBuffer();
    for (let offset = 0; offset < 9; offset++) {
      const text = `${'a'.repeat(offset)}\u{10ffff}\u007f\u007f\u{1f600}\u007f`;
      line.clear();
      line.add(fragmentOf(text));
      line.addAgain(0, line.end);
      expect(line.toString()).toBe(text + text);
    }
  });

  it('escapes long texts as JSON.stringify does, wherever in the line they stand', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\',
      '\n',
      '\t',
      '\u0001',
      '\u007f',
      'é',
      '\ud800',
    );
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 60 }),
      fc.constantFrom('"', '\\', '\n', '\r\n', '"\b\f"'),
    );
    const text = fc.oneof(
      fc.array(part, { minLength: 4, maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit, minLength: 49, maxLength: 300 }),
    );
    const line = new LineBuffer();
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        line.clear();
        // The quote keeps apart what would be a pair of surrogates otherwise.
        for (const each of texts) line.addEscaped(`${each}"`);
        const all = texts.map((each) => JSON.stringify(`${each}"`).slice(1, -1)).join('');
        expect(line.toString()).toBe(all);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps a buffer for lines of usual length, and lets go of a large one', () => {
    const line = new LineBuffer();
    const { bytes } = line;
    line.clear();
    expect(line.bytes).toBe(bytes);
    line.addText('x'.repeat(1_000_000));
    expect(line.toString()).toHaveLength(1_000_000);
    line.clear();
    expect(line.bytes.length).toBe(bytes.length);
  });

  it('may hold a text instead', () => {
    const line = new LineBuffer();
    expect(line.isEmpty).toBe(true);
    line.set('a text');
    expect([line.isEmpty, line.end, line.toString()]).toEqual([false, 0, 'a text']);
    line.clear();
    expect(line.isEmpty).toBe(true);
  });
});
