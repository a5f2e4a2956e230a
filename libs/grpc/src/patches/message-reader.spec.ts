import { describe, expect, it } from '@jest/globals';
import { MessageReader } from './message-reader.js';

const message = (text: string): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
};

const TEXTS = ['', 'a', 'b'.repeat(300), '', 'c'.repeat(1_000)];
const STREAM = Buffer.concat(TEXTS.map(message));

describe('a reader of messages', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 16, 305, 1_000, STREAM.length])(
    'gives every message from frames of %d bytes',
    (each) => {
      const reader = new MessageReader(1_000);
      const messages: string[] = [];
      for (let at = 0; at < STREAM.length; at += each) {
        const frame = STREAM.subarray(at, at + each);
        messages.push(...reader.write(frame).map((it) => it.subarray(5).toString()));
      }
      expect(messages).toEqual(TEXTS);
    },
  );

  it('gives messages that share no memory with their frame', () => {
    const frame = message('abc');
    const [first] = new MessageReader(-1).write(frame);
    frame.fill(0);
    expect(first!.subarray(5).toString()).toBe('abc');
  });

  it.each([1, 5, 2_000])(
    'refuses a message beyond the limit by its head, in frames of %d bytes',
    (each) => {
      const reader = new MessageReader(1_000);
      const stream = message('x'.repeat(1_001));
      const read = (): void => {
        for (let at = 0; at < 5; at += each) reader.write(stream.subarray(at, at + each));
      };
      expect(read).toThrow('Received message larger than max (1001 vs 1000)');
    },
  );

  it('sets nothing aside for a length that is only announced', () => {
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 1_000 }, () => {
      const reader = new MessageReader(-1);
      const head = message('x');
      head.writeUInt32BE(2 ** 32 - 1, 1);
      reader.write(head);
      return reader;
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(readers.length * 1_024);
  });
});
