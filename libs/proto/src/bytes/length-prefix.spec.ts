import { describe, expect, it } from '@jest/globals';
import { WireSource } from '../wire/wire-source.js';
import { ByteSink, LengthPrefix } from './byte-sink.js';

/** The lengths at which a varint takes a byte more, and those before them. */
const LENGTHS = [0, 127, 128, 1, 16_383, 16_384, 5, 2 ** 21 - 1, 2 ** 21, 0, 129];

describe('a length prefix', () => {
  it('stands before what was written, whatever the last length was', () => {
    const prefix = new LengthPrefix();
    const sink = new ByteSink();
    for (const [i, length] of LENGTHS.entries()) {
      const start = prefix.open(sink);
      expect(prefix.isEmpty(sink, start)).toBe(true);
      sink.append(new Uint8Array(length).fill(i + 1));
      expect(prefix.isEmpty(sink, start)).toBe(length === 0);
      prefix.close(sink, start);
    }
    const source = new WireSource(sink.finish());
    const read = LENGTHS.map(() => source.lengthBytes());
    expect(read.map(({ length }) => length)).toEqual(LENGTHS);
    expect(read.every((bytes, i) => bytes.every((byte) => byte === i + 1))).toBe(true);
    expect(source.at).toBe(source.bytes.length);
  });

  it('stands before others of its kind, which may need more room than it left', () => {
    const prefix = new LengthPrefix();
    for (const innermost of [1, 120, 127, 200, 16_380, 3]) {
      const sink = new ByteSink();
      const starts = Array.from({ length: 5 }, () => prefix.open(sink));
      sink.append(new Uint8Array(innermost));
      for (const start of starts.toReversed()) prefix.close(sink, start);
      const source = new WireSource(sink.finish());
      const ends = starts.map(() => source.lengthEnd());
      expect(ends).toEqual(starts.map(() => source.bytes.length));
      expect(source.at).toBe(source.bytes.length - innermost);
    }
  });
});
