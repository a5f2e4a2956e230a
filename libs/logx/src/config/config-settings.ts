import type { TimeFormat } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';

/** The settings of a configuration document for the whole logger; undefined where it is silent. */
export interface ConfigSettings {
  readonly level: Level | undefined;
  readonly render: boolean | undefined;
  readonly caller: boolean | undefined;
  readonly timestamp: boolean | undefined;
  readonly stackTrace: boolean | undefined;
  /** Sink types take it over, unless their own options say otherwise. */
  readonly timeFormat: TimeFormat | undefined;
}
