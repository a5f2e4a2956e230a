import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { JsonCodec } from '../json-codec.js';
import { TextWindow } from './text-window.js';

const codec = new JsonCodec(kinds.registry);
const wire = wireCodec(KindsSchema);

/** What both ways read; they must agree. */
function read(json: string | Uint8Array): string[] {
  const texts = codec.decode(KindsSchema, json) as unknown as { stringList: string[] };
  expect(wire.decode(codec.toWire(KindsSchema, new Uint8Array(Buffer.from(json))))).toEqual(texts);
  return texts.stringList;
}

/** What both ways say of a document; they must say the same. */
function refusal(json: string): string {
  const ways = [() => codec.decode(KindsSchema, json), () => codec.toWire(KindsSchema, json)];
  const words = ways.map((way) => {
    try {
      way();
    } catch (error) {
      return String(error);
    }
    return 'accepted';
  });
  expect(words[1]).toBe(words[0]);
  return words[0]!;
}

/** JSON of a text, with some of its characters as escapes that it does not need. */
function escaped(text: string, choice: number): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const parts = units.map((unit, i) => {
    const isNeeded = unit < 0x20 || unit === 0x22 || unit === 0x5c;
    // Both halves of a pair or none.
    const start = (unit & 0xfc00) === 0xdc00 ? i - 1 : i;
    if (!isNeeded && (start + choice) % 3 !== 0) return String.fromCharCode(unit);
    const hex = unit.toString(16).padStart(4, '0');
    return `\\u${choice % 2 === 0 ? hex : hex.toUpperCase()}`;
  });
  return `"${parts.join('')}"`;
}

const FILLERS = ['a', 'ß', '\\n', '🍲', '\\ud83c\\udf72', '\\"', ' ℓ, '];
/** Around the sizes at which a string is read in another way. */
const LENGTHS = [0, 1, 20, 60, 63, 64, 126, 127, 128, 129, 500, 680, 1023, 1024, 2045, 2046, 2047];

describe('strings of JSON', () => {
  it('are read as JSON.parse reads them, many after each other', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const list = fc.array(fc.tuple(text, fc.nat(5), fc.nat(3)), { maxLength: 80 });
    fc.assert(
      fc.property(list, (parts) => {
        const items = parts.map(([one, choice, times]) => escaped(one.repeat(times), choice));
        const json = `{"stringList": [\n${items.join(',\n')}]}`;
        expect(read(json)).toEqual((JSON.parse(json) as { stringList: string[] }).stringList);
      }),
    );
  });

  it.each(FILLERS)('are read as JSON.parse reads them, however long: %s', (filler) => {
    for (const length of [...LENGTHS, 2048, 2049, 4095, 4096, 4097, 9_000]) {
      const texts = [filler.repeat(length), `${'x'.repeat(length)}${filler}`, filler, 'plain'];
      const json = `{"stringList":[${texts.map((text) => `"${text}"`).join()}]}`;
      expect(read(json)).toEqual((JSON.parse(json) as { stringList: string[] }).stringList);
    }
  });

  it('are read where they are longer than what was written before', () => {
    const text = `\\n${'a'.repeat(1_000_000)}`;
    expect(read(`{"stringList":["${text}"]}`)).toEqual([text.replace('\\n', '\n')]);
  });

  it('are read out of two documents at the same time', () => {
    const texts = ['ßß', 'xxß'];
    const windows = texts.map((text) => new TextWindow(Buffer.from(`"${text}","ß${text}"`)));
    expect(windows.map((window) => window.read(1))).toEqual(texts);
    const second = windows.map((window) => window.read(window.end + 3));
    expect(second).toEqual(['ßßß', 'ßxxß']);
  });

  it('are read by documents in turn, each at its own place', () => {
    const one = (text: string): string => `{"stringList":["${text}\\n","${text}ß"]}`;
    for (let round = 0; round < 5; round++) {
      for (const text of ['first ℓ', 'second \\"', 'third']) {
        expect(read(one(text))).toEqual((JSON.parse(one(text)) as { stringList: [] }).stringList);
      }
    }
  });

  it.each([
    ['an escape that there is not', '\\x'],
    ['too few digits', '\\u12'],
    ['digits that are none', '\\u12g4'],
    ['a control character', '\u0001'],
    ['a tab', '\t'],
    ['the first half of a surrogate pair', '\\ud83c'],
    ['the second half of a surrogate pair', '\\udf72'],
    ['two second halves', '\\udf72\\udf72'],
    ['two first halves', '\\ud83c\\ud83c'],
    ['a first half and a character', '\\ud83cx'],
    ['a first half and a line break', '\\ud83c\\n'],
    ['a first half and bad digits', '\\ud83c\\udfxx'],
  ])('are refused with their place, wherever %s stands', (_name, bad) => {
    const problem =
      /\$\.stringList\[3\]: invalid (?:JSON: text with a bad escape or a control|UTF8: half)/;
    for (const filler of FILLERS) {
      for (const length of LENGTHS) {
        const item = `${filler.repeat(length)}${bad}`;
        const before = `"plain","${filler}","ß\\n"`;
        expect(refusal(`{"stringList":[${before},"${item}"]}`)).toMatch(problem);
        expect(refusal(`{"stringList":[${before},"${item}${filler}"]}`)).toMatch(problem);
      }
    }
  });

  it('are refused wherever a document is cut off', () => {
    const json = '{"stringList":["ß","\\u00e9\\n","\\ud83c\\udf72 🍲","plain"]}';
    for (let length = 1; length < json.length; length++) {
      const cut = json.slice(0, length);
      expect(refusal(cut.toWellFormed())).toMatch(/invalid JSON|surrogate/);
    }
  });
});
