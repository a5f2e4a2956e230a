import type { Readable, Writable } from 'node:stream';

const LINE_FEED = 0x0a;

/**
 * Passes on the output of a process by whole lines, so that those of several processes are not mixed. The last
 * line of a process that was killed gets its end.
 */
export function relayLines(from: Readable, to: Writable): void {
  let parts: Buffer[] = [];
  from.on('data', (data: Buffer) => {
    const end = data.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      parts.push(data.subarray(0, end));
      pass(from, to, Buffer.concat(parts));
      parts = [];
    }
    if (end < data.length) parts.push(data.subarray(end));
  });
  from.once('end', () => {
    if (parts.length > 0) to.write(Buffer.concat([...parts, Buffer.from('\n')]));
  });
}

/** Reads on when the reader of our own output has taken what it was given. */
function pass(from: Readable, to: Writable, lines: Buffer): void {
  if (to.write(lines) || to.destroyed) return;
  from.pause();
  to.once('drain', () => from.resume());
}
