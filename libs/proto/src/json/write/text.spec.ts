import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { bytesOf } from '../../bytes/byte-sink.js';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { JsonCodec } from '../json-codec.js';
import { writeAscii, writeJsonText } from './text.js';

const codec = new JsonCodec(kinds.registry);

/** Writes a text at any of the four places in a word. */
function written(text: string, before: number): string {
  const bytes = bytesOf((sink) => {
    writeAscii(sink, '-'.repeat(before));
    writeJsonText(sink, text);
  });
  return bytes.toString('utf8', before);
}

/** Every character that JSON treats on its own, and one of each length in UTF-8. */
const BEYOND_ASCII = [0x80, 0xff, 0x7ff, 0x800, 0x2028, 0xd7ff, 0xe000, 0xfffd, 0xffff];
const PAIRS_AND_HALVES = [0x10000, 0x1f372, 0x10ffff, 0xd800, 0xdbff, 0xdc00, 0xdfff];
const CHARACTERS = [...Array(0x80).keys(), ...BEYOND_ASCII, ...PAIRS_AND_HALVES].map((code) =>
  String.fromCodePoint(code),
);
/** Around the lengths at which another way to write begins. */
const LENGTHS = [0, 1, 2, 3, 4, 5, 52, 53, 54, 55, 56, 57, 60, 64, 65, 66, 300];

describe('JSON text that is written', () => {
  it.each(LENGTHS)('is that of JSON.stringify, each character after %d others', (length) => {
    const differing: string[] = [];
    for (const character of CHARACTERS) {
      for (const filler of ['a', 'ß', '\n', '🍲']) {
        const text = `${filler.repeat(length)}${character}${'x'.repeat(length % 7)}`;
        const json = written(text, length % 4);
        if (json !== JSON.stringify(text.toWellFormed())) differing.push(json);
      }
    }
    expect(differing).toEqual([]);
  });

  it('is the same from a message and from the wire', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(40), (start, repeated) => {
        const stringValue = start + 'ℓ "\u0007'.repeat(repeated);
        const message = create(KindsSchema, { stringValue });
        const json = codec.encodeBytes(KindsSchema, message);
        expect(JSON.parse(json.toString())).toEqual(stringValue === '' ? {} : { stringValue });
        const wire = toBinary(KindsSchema, message);
        expect(codec.fromWire(KindsSchema, wire)).toEqual(json);
      }),
    );
  });

  it.each([
    '\xc0\x80',
    '\xed\xa0\x80',
    '\xf4\x90\x80\x80',
    '\xe2\x84',
    '\x80',
    '\xf8\x88\x80\x80\x80',
  ])('is refused from bytes of the wire that are no UTF-8: %j', (latin1) => {
    const field = KindsSchema.field['stringValue']!.number;
    for (const before of [0, 3, 70, 1_000]) {
      const text = Buffer.from('"'.repeat(before) + latin1, 'latin1');
      const length =
        text.length < 0x80 ? [text.length] : [(text.length & 0x7f) | 0x80, text.length >> 7];
      const wire = Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), text]);
      expect(() => codec.fromWire(KindsSchema, wire)).toThrow(/not valid UTF-8/);
    }
  });
});
