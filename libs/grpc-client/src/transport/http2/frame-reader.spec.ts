import { describe, expect, it } from '@jest/globals';
import { type MessageFrame, FrameReader, TooLarge, frameOf } from './frame-reader.js';

const MESSAGES = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(200_000, 7), Buffer.from('x')];
const WHOLE = Buffer.concat(MESSAGES.map((bytes, place) => frameOf(bytes, place === 3)));

function readIn(size: number, maxBytes = -1): MessageFrame[] {
  const reader = new FrameReader(maxBytes);
  const frames: MessageFrame[] = [];
  for (let at = 0; at < WHOLE.length; at += size) {
    reader.read(WHOLE.subarray(at, at + size), (frame) => frames.push(frame));
  }
  return frames;
}

describe('messages', () => {
  it.each([1, 2, 4, 5, 6, 16_384, 65_536, 1e9])('are read from parts of %i bytes', (size) => {
    const frames = readIn(size);
    expect(frames.map(({ bytes }) => bytes.length)).toEqual([3, 0, 200_000, 1]);
    const read = Buffer.concat(frames.map(({ bytes }) => bytes));
    expect(read.equals(Buffer.concat(MESSAGES))).toBe(true);
    expect(frames.map(({ isCompressed }) => isCompressed)).toEqual([false, false, false, true]);
  });

  it('keep nothing of the data that they came in', () => {
    const data = frameOf(Buffer.from('abc'), false);
    const frames: MessageFrame[] = [];
    new FrameReader(-1).read(data, (frame) => frames.push(frame));
    data.fill(0);
    expect(String(frames[0]!.bytes)).toBe('abc');
  });

  it('above the limit are refused by what they say of themselves', () => {
    const reader = new FrameReader(3);
    const take = (): void => {};
    reader.read(frameOf(Buffer.from('abc'), false), take);
    const read = () => reader.read(Buffer.of(0, 0, 0, 0, 4), take);
    expect(read).toThrow(TooLarge);
    expect(() => new FrameReader(3).read(Buffer.of(0, 0, 0, 0, 4), take)).toThrow(
      'Received message larger than max (4 vs 3)',
    );
  });

  it('take no memory for what they only announce', () => {
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 100 }, () => new FrameReader(-1));
    for (const reader of readers) {
      reader.read(Buffer.of(0, 0x3f, 0xff, 0xff, 0xff, 1), () => {});
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 70_000);
  });
});
