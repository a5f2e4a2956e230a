import type { Deadline } from '@apix/contracts';
import type { TimeFormat } from '../encode/time-format.js';
import type { LogEvent } from '../event/log-event.js';
import type { LevelInput } from '../levels/level.js';

export const FORMATS = ['json', 'console', 'ecs', 'otel'] as const;

/** The encodings of an event; each sink has one. */
export type Format = (typeof FORMATS)[number];

/**
 * Where events go. A sink has `write` or `emit`; with both, `emit` is the one that is called.
 * What a sink throws goes to the logger's error handler: never to the caller, never back into
 * the logger.
 */
export interface Sink {
  /**
   * One encoded event, ending in `"\n"`; the event itself comes along for sinks that need, say,
   * its level. The line may hold further line breaks in the console format.
   */
  write?(line: string, event: LogEvent): void;
  /**
   * The same as `write`, beside it, for a line that was made as bytes, which spares making a text
   * of it: UTF-8 in the first `length` bytes. They are used again after the call: copy them, and
   * change nothing in them.
   */
  writeBytes?(bytes: Buffer, length: number, event: LogEvent): void;
  /** Takes the event itself, in place of a line; nothing is encoded for this sink. */
  emit?(event: LogEvent): void;
  /** Writes out what waits, now, without the event loop: before exit and on fatal. */
  flushSync?(): void;
  /** Resolves when what was logged so far is out, or when the deadline has passed. */
  flush?(deadline?: Deadline): Promise<void>;
  /** Flushes and releases. Nothing is written after it. */
  close?(deadline?: Deadline): void | Promise<void>;
}

/** What a sink is told when it opens. */
export interface SinkContext {
  /** Tells the logger's error handler of a failure outside a call of `write`. Never throws. */
  readonly onError: (error: Error) => void;
}

/** A sink as a value: what `sinks: [...]` holds. Opened once for each logger made with it. */
export interface SinkSpec {
  /** Names the sink in errors, such as `file` or `stdout`. */
  readonly kind: string;
  /** Events below are not written here; a level or its name. Default: the logger's level decides alone. */
  readonly minLevel?: LevelInput;
  readonly format: Format;
  /** ANSI colours in the console format. Default: false. */
  readonly color?: boolean;
  /** Default: the logger's. */
  readonly timeFormat?: TimeFormat;
  /**
   * The layouts that the reader of the lines understands: any other, the logger's or the sink's own,
   * is replaced by the first of them. Default: all.
   */
  readonly timeFormats?: readonly [TimeFormat, ...TimeFormat[]];
  /** @throws Error when the sink cannot be opened, say because its file cannot. */
  open(context: SinkContext): Sink;
}
