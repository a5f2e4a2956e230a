import type { Event } from '../event/event.js';
import type { Caller } from '../event/log-event.js';
import type { FieldStyle } from '../event/scope.js';
import type { LevelName } from '../levels/level.js';
import type { FieldValue } from '../value/field-value.js';

/** How a format that is one flat JSON object names things. */
export interface FlatDialect {
  readonly style: FieldStyle;
  /** How a line begins, its brace included: level, and time as JSON, empty where it has none. */
  head(level: LevelName, time: string): string;
  /** What follows the head, after the message where this comes right after the head. */
  readonly constant: string;
  /** Whether the message comes before the fields; else the values in it are copied from there. */
  readonly messageFirst: boolean;
  /** Names, quoted, with the comma before and the colon after them. */
  readonly template: string;
  readonly message: string;
  readonly error: string;
  /** Default: the format does not have it. */
  readonly errorType?: string;
  readonly stack: string;
  caller(caller: Caller): string;
  /** Fields beside the event's own, under their names in the format; these win. Default: none. */
  additions?(event: Event): ReadonlyMap<string, FieldValue> | undefined;
}
