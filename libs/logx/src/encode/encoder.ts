import type { Event } from '../event/event.js';
import type { LogEvent } from '../event/log-event.js';
import type { LevelName } from '../levels/level.js';
import type { EcsSettings } from './ecs-options.js';
import type { LineBuffer } from './line-buffer.js';

/** What an {@link Encoder} gets in addition to the event. */
export interface EncoderContext {
  /** The time in the time format of the sink; empty with `timestamp: false`. */
  readonly time: string;
  /** The name of the level, such as `info`. */
  readonly level: LevelName;
}

/**
 * A format of your own: `format: encoder` in code, and a name given to `registerFormat` in documents. It is
 * called once for each event, however many sinks have it: within some milliseconds after the event was logged,
 * not inside of the call that logged it, and at the latest by `flush`, `close` and the exit of the process. An
 * event that it logs itself is not written in its own format.
 *
 * An event is lost, and the error handler called, if it throws, returns anything else than a string, or one
 * of more than 1,048,576 characters, or does not return: it is then interrupted after 250 milliseconds, and
 * again at its second attempt. After the third such event it is not called again, and its sinks get JSON.
 */
export interface Encoder {
  /** Names the format in errors. Default: the name under which it was registered, else `own`. */
  readonly name?: string | undefined;
  /**
   * Returns the line of an event; a line break is added if there is none at its end. Values are redacted
   * already. Escape control characters of the event if a human reads the lines.
   */
  encode(event: LogEvent, context: EncoderContext): string;
}

/** Encodes an event as a line, including its line break: as a text, or as bytes in a buffer. */
export type LineEncoder =
  | { readonly text: (event: Event) => string; readonly bytes?: undefined }
  | { readonly bytes: (event: Event, line: LineBuffer) => void };

/** The logger's options for lines. */
export interface LineOptions {
  /** Whether lines contain the message. */
  readonly message: boolean;
  /** Whether lines contain the time. */
  readonly time: boolean;
  readonly ecs: EcsSettings;
}
