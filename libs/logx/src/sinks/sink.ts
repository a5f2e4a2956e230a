import type { Clock, Deadline } from '@apix/contracts';
import type { TimeFormat } from '../encode/time-format.js';
import type { Encoder } from '../encode/encoder.js';
import type { LogEvent } from '../event/log-event.js';
import type { LevelInput } from '../levels/level.js';

export const FORMATS = ['json', 'console', 'ecs', 'otel'] as const;

/** The encodings of an event; each sink has one. */
export type Format = (typeof FORMATS)[number];

/**
 * A destination of events. A sink has `write` or `emit`; if it has both, `emit` is called. Errors that a
 * sink throws go to the logger's error handler: never to the caller, never back into the logger.
 */
export interface Sink {
  /**
   * Receives one encoded event, ending in `"\n"`, and the event itself for sinks that need, for example,
   * its level. The line may contain further line breaks in the console format.
   */
  write?(line: string, event: LogEvent): void;
  /**
   * The same as `write`, in addition to it, for a line that was encoded as bytes, which avoids creating a
   * text: UTF-8 in the first `length` bytes. They are reused after the call: copy them, and do not change
   * them.
   */
  writeBytes?(bytes: Buffer, length: number, event: LogEvent): void;
  /** Receives the event itself instead of a line; nothing is encoded for this sink. */
  emit?(event: LogEvent): void;
  /** Writes all waiting lines synchronously, without the event loop: before exit and on fatal. */
  flushSync?(): void;
  /** Resolves when everything logged so far is written, or when the deadline has passed. */
  flush?(deadline?: Deadline): Promise<void>;
  /** Flushes and releases resources. Nothing is written after it. */
  close?(deadline?: Deadline): void | Promise<void>;
}

/** The context that a sink gets when it opens. */
export interface SinkContext {
  /** The clock of the logger. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Reports a failure outside a call of `write` to the logger's error handler. Never throws. */
  readonly onError: (error: Error) => void;
  /**
   * Writes an event to this very sink that says how many lines it dropped, for a sink that goes on. Undefined if
   * the logger has an error handler, which is called instead. Never throws.
   */
  readonly onDropped?: ((sinkName: string, lines: number) => void) | undefined;
}

/** A sink as a value: an item of `sinks: [...]`. Opened once for each logger created with it. */
export interface SinkSpec {
  /** Names the sink in errors, such as `file` or `stdout`. */
  readonly kind: string;
  /** Events below are not written here; a level or its name. Default: only the logger's level applies. */
  readonly minLevel?: LevelInput;
  /** Events above are not written here. Default: there is no upper bound. */
  readonly maxLevel?: LevelInput;
  readonly format: Format | Encoder;
  /** ANSI colours in the console format. Default: false. */
  readonly color?: boolean;
  /** The layout of lines in the console format. Default: time, level, message, fields. */
  readonly layout?: string;
  /** Default: the logger's. */
  readonly timeFormat?: TimeFormat;
  /**
   * The layouts that the reader of the lines understands: any other layout, of the logger or the sink, is
   * replaced by the first of them. Default: all.
   */
  readonly timeFormats?: readonly [TimeFormat, ...TimeFormat[]];
  /** @throws Error when the sink cannot be opened, for example because its file cannot be opened. */
  open(context: SinkContext): Sink;
}
