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
}

const METADATA = Symbol.for('pino.metadata');

/** Whether the stream wants to be told of each line's level, as a multistream does. */
export function takesPinoLevel(stream: PinoStream): boolean {
  return (stream as { [METADATA]?: unknown })[METADATA] === true;
}

export function tellPinoLevel(stream: PinoStream, event: LogEvent): void {
  (stream as { lastLevel?: number }).lastLevel = event.level;
}
