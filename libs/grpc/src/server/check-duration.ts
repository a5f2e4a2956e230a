import { type Duration, MAX_TIMER_MS, parseDuration } from '@apix/contracts';
import { messageOf } from '../errors.js';

/** Milliseconds, at most what a timer takes; 0, with the mistake added, where it is no duration. */
export function checkDuration(where: string, value: Duration, mistakes: string[]): number {
  try {
    return Math.min(parseDuration(value), MAX_TIMER_MS);
  } catch (error) {
    mistakes.push(`${where}: ${messageOf(error).replace(/^apix: /, '')}`);
    return 0;
  }
}
