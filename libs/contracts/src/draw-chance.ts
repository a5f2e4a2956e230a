import { isPromiseLike } from './kind-of-value.js';
import { shownValue } from './shown-value.js';

/**
 * Draws a number from a source of randomness such as Math.random.
 *
 * @throws RangeError if the source returns anything but a number from 0 to 1; errors of the source are
 *   passed on.
 */
export function drawChance(random: () => number): number {
  const drawn: unknown = random();
  if (typeof drawn === 'number' && drawn >= 0 && drawn <= 1) return drawn;
  // An unhandled rejection would end the process.
  if (isPromiseLike(drawn)) void drawn.then(undefined, () => {});
  throw new RangeError(`must return a number from 0 to 1, not ${shownValue(drawn)}`);
}
