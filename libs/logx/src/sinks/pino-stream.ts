import type { LogEvent } from '../event/log-event.js';

/**
 * What pino calls a destination, as far as it is used here: every Node writable stream,
 * `pino.destination()`, `pino.multistream()` and `pino.transport()` are one.
 */
export interface PinoStream {
  /** False asks to wait for `drain`. */
  write(line: string, done?: () => void): unknown;
  on?(event: string, listener: (error?: unknown) => void): unknown;
  removeListener?(event: string, listener: (error?: unknown) => void): unknown;
  flush?(done: () => void): void;
  flushSync?(): void;
  end?(): unknown;
  readonly destroyed?: boolean;
  readonly writableLength?: number;
  /** Of a multistream: those that it writes to. */
  readonly streams?: readonly { readonly stream: PinoStream }[];
}

const METADATA = Symbol.for('pino.metadata');

/** Whether the stream wants to be told of each line's level, as a multistream does. */
export function takesPinoLevel(stream: PinoStream): boolean {
  return (stream as { [METADATA]?: unknown })[METADATA] === true;
}

export function tellPinoLevel(stream: PinoStream, event: LogEvent): void {
  (stream as { lastLevel?: number }).lastLevel = event.level;
}

/**
 * Whether all that was written is out at once, or when `flushSync` returns: a Node stream writes in
 * its own time, an object that has nothing but `write` has nothing to wait for.
 */
export function flushesAtOnce(stream: PinoStream): boolean {
  const { streams } = stream;
  if (streams !== undefined) return streams.every((inner) => flushesAtOnce(inner.stream));
  if (stream.flushSync) return true;
  return !stream.flush && stream.writableLength === undefined;
}

/** Resolves when the stream, or each of a multistream, has handed on what it was given. */
export async function flushed(stream: PinoStream): Promise<void> {
  if (stream.streams !== undefined) {
    await Promise.all(stream.streams.map(async (inner) => flushed(inner.stream)));
    return;
  }
  await new Promise<void>((resolve) => {
    if (stream.destroyed === true) resolve();
    else if (stream.flush) stream.flush(() => resolve());
    else if (stream.writableLength === undefined) resolve();
    else stream.write('', () => resolve());
  });
}
