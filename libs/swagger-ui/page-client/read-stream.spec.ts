import { describe, expect, it } from '@jest/globals';
import { MOST_SHOWN, isStream, readStream } from './read-stream.js';

const encoder = new TextEncoder();

function streamOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

describe('isStream', () => {
  it.each([
    ['application/x-ndjson', true],
    ['text/event-stream; charset=utf-8', true],
    ['application/json', false],
    ['', false],
  ])('of %p is %p', (type, is) => {
    expect(isStream(new Headers({ 'content-type': type }))).toBe(is);
  });
});

describe('readStream', () => {
  it('shows first that the answer began, and returns all of it', async () => {
    const shown: string[] = [];
    const text = await readStream(streamOf('{"a":1}\n', '{"a":2}\n'), (soFar) => shown.push(soFar));
    expect(shown[0]).toBe('');
    expect(text).toBe('{"a":1}\n{"a":2}\n');
  });

  it('shows what has come while more is awaited', async () => {
    let end = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode('first\n'));
        end = () => controller.close();
      },
    });
    let seen = (): void => {};
    const first = new Promise<void>((resolve) => (seen = resolve));
    const done = readStream(body, (soFar) => {
      if (soFar === 'first\n') seen();
    });
    await first;
    end();
    expect(await done).toBe('first\n');
  });

  it('keeps what has come when it is stopped', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode('first\n'));
      },
      pull(controller) {
        controller.error(new Error('stopped'));
      },
    });
    const text = await readStream(body, () => {});
    expect(['', 'first\n']).toContain(text);
  });

  it('gives up the oldest lines of what is too long', async () => {
    const line = `${'x'.repeat(999)}\n`;
    const chunks = Array.from({ length: 150 }, () => line);
    const text = await readStream(streamOf('oldest\n', ...chunks), () => {});
    expect(text.length).toBeLessThanOrEqual(MOST_SHOWN);
    expect(text.startsWith('x')).toBe(true);
    expect(text.endsWith(line)).toBe(true);
  });
});
