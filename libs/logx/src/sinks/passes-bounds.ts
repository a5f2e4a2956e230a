import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';

/**
 * Whether an event is accepted even though a bound is reached: a fatal event is the last of the process,
 * and there is only one.
 */
// Why: docs/decisions/0246
export function passesBounds(event: LogEvent | undefined): boolean {
  return event !== undefined && event.level >= Level.Fatal;
}
