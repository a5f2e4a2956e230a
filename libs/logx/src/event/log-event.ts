import type { Level } from '../levels/level.js';
import type { FieldValue } from '../value/field-value.js';

/** A place in the source. */
export interface Caller {
  readonly file: string;
  readonly line: number;
}

/** One event, as sinks receive it. It does not change, even if the arguments change later. */
export interface LogEvent {
  readonly level: Level;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The template as it was given; for a literal text, with its braces doubled. */
  readonly template: string;
  /** The rendered template. */
  readonly message: string;
  /** The text of the error, including its causes. */
  readonly error: string | undefined;
  /** With the stack-trace option, on errors: the error's stack and those of its causes. */
  readonly stack: string | undefined;
  /** With the caller option. */
  readonly caller: Caller | undefined;
  /**
   * Every other field under its name: those of the logger first, then those of the event. It never has one
   * of the names that the logger itself writes.
   */
  readonly fields: ReadonlyMap<string, FieldValue>;
}
