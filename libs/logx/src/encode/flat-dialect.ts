import type { Event } from '../event/event.js';
import type { Caller } from '../event/log-event.js';
import type { FieldStyle } from '../event/scope.js';
import type { LevelName } from '../levels/level.js';
import type { FieldValue } from '../value/field-value.js';

/** The names of a format whose lines are one flat JSON object. */
export interface FlatDialect {
  readonly style: FieldStyle;
  /**
   * The start of a line, including its brace: level, and time as JSON, which is empty if lines have no
   * time.
   */
  head(level: LevelName, time: string): string;
  /** The text after the head; after the message if the message directly follows the head. */
  readonly constant: string;
  /** Whether the event has special fields of the style. Default: no event has any. */
  readonly isSpecial?: (event: Event) => boolean;
  /** Whether the message comes before the fields; if not, its values are copied from the fields. */
  readonly messageFirst: boolean;
  /** Names in quotes, with the comma before and the colon after them. */
  readonly template: string;
  readonly message: string;
  readonly error: string;
  /** Default: the format does not have it. */
  readonly errorType?: string;
  readonly stack: string;
  caller(caller: Caller): string;
  /**
   * Fields in addition to the event's own, under their names in the format; these take precedence. Default:
   * none.
   */
  additions?: (event: Event) => ReadonlyMap<string, FieldValue> | undefined;
}
