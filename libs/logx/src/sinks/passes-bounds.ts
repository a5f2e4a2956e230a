import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';

/**
 * Whether an event is taken though a bound is reached: a fatal one is the last that the process
 * says, and there is one of it.
 */
// Why: docs/decisions/0246
export function passesBounds(event: LogEvent | undefined): boolean {
  return event !== undefined && event.level >= Level.Fatal;
}
