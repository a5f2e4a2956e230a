import type { LogEvent } from '../event/log-event.js';

/**
 * The part of a pino destination that is used here: every Node writable stream, `pino.destination()`,
 * `pino.multistream()` and `pino.transport()` have it.
 */
export interface PinoStream {
  /** False asks the caller to wait for `drain`. */
  write(line: string, done?: () => void): unknown;
  on?(event: string, listener: (error?: unknown) => void): unknown;
  removeListener?(event: string, listener: (error?: unknown) => void): unknown;
  flush?(done: () => void): void;
  flushSync?(): void;
  end?(): unknown;
  readonly destroyed?: boolean;
  readonly writableLength?: number;
  /** The streams of a multistream. */
  readonly streams?: readonly { readonly stream: PinoStream }[];
}

const METADATA = Symbol.for('pino.metadata');

/** Whether the stream needs to know each line's level, as a multistream does. */
export function takesPinoLevel(stream: PinoStream): boolean {
  return (stream as { [METADATA]?: unknown })[METADATA] === true;
}

export function setPinoLevel(stream: PinoStream, event: LogEvent): void {
  (stream as { lastLevel?: number }).lastLevel = event.level;
}

/**
 * Whether everything that was written is out immediately, or when `flushSync` returns: a Node stream writes
 * asynchronously; an object with only `write` has nothing to flush.
 */
export function flushesAtOnce(stream: PinoStream): boolean {
  const { streams } = stream;
  if (streams !== undefined) return streams.every((inner) => flushesAtOnce(inner.stream));
  if (stream.flushSync) return true;
  return !stream.flush && stream.writableLength === undefined;
}

/** Resolves when the stream, or each of a multistream, has handed on all lines that it received. */
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
