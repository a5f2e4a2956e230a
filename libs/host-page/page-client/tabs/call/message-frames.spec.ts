import { describe, expect, it } from '@jest/globals';
import { FrameReader, inFrames } from './message-frames.js';

const MESSAGES = ['{}', '', `{"name":"${'ü'.repeat(200)}"}`];

describe('messages in frames', () => {
  it('have their length in bytes before them', () => {
    expect([...inFrames(['ü'])]).toEqual([0, 0, 0, 0, 2, 0xc3, 0xbc]);
  });

  it.each([1, 3, 5, 64, 10_000])('are read from pieces of %i bytes', (size) => {
    const bytes = inFrames(MESSAGES);
    const reader = new FrameReader();
    const read: string[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      read.push(...reader.take(bytes.subarray(at, at + size)).map(({ text }) => text));
    }
    expect(read).toEqual(MESSAGES);
  });

  it('keep their flags, and one that is cut off is none', () => {
    const reader = new FrameReader();
    expect(reader.take(Uint8Array.of(0x80, 0, 0, 0, 1, 97, 0, 0))).toEqual([
      { flags: 0x80, text: 'a' },
    ]);
  });
});
