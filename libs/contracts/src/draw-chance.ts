import { isPromiseLike } from './promise-like.js';
import { shownValue } from './shown-value.js';

/**
 * What a source of chance such as Math.random returns.
 *
 * @throws RangeError for anything but a number from 0 to 1, and what the source throws.
 */
export function drawChance(random: () => number): number {
  const drawn: unknown = random();
  if (typeof drawn === 'number' && drawn >= 0 && drawn <= 1) return drawn;
  // What it rejects with must not end the process.
  if (isPromiseLike(drawn)) void drawn.then(undefined, () => {});
  throw new RangeError(`must return a number from 0 to 1, not ${shownValue(drawn)}`);
}
