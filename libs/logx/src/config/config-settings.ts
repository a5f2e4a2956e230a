import type { TimeFormat } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';

/** The settings of a configuration document for the whole logger; undefined if they are not set. */
export interface ConfigSettings {
  readonly level: Level | undefined;
  readonly render: boolean | undefined;
  readonly caller: boolean | undefined;
  readonly timestamp: boolean | undefined;
  readonly stackTrace: boolean | undefined;
  /** Applies to each sink type whose own options do not set it. */
  readonly timeFormat: TimeFormat | undefined;
}
