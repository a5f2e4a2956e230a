import { Mistakes } from '../mistakes.js';
import { callable, choice, TEXT } from '../options/option-kinds.js';
import { isPromiseLike } from '../kind-of-value.js';
import { shownValue } from '../shown-value.js';
import type { HealthCheck, HealthSource } from './health-source.js';
import { sourceName } from './source-name.js';

const AFFECTS = choice(['live', 'ready']);
const RUN = callable();

/**
 * The checks of a source. One that throws, or that returns anything but checks, is a single check
 * that fails and affects `ready`: whether a restart would help is not known. Never throws.
 */
export function healthChecksOf(source: HealthSource): readonly HealthCheck[] {
  try {
    const checks: unknown = source.healthChecks();
    if (!Array.isArray(checks)) {
      // Nothing awaits it any more, and an unhandled rejection would end the process.
      if (isPromiseLike(checks)) void checks.then(undefined, () => {});
      const shown = shownValue(checks);
      throw new TypeError(`healthChecks() must return an array of checks, not ${shown}`);
    }
    for (const [index, check] of checks.entries()) assertCheck(check, index);
    return checks as readonly HealthCheck[];
  } catch (error) {
    const name = sourceName(source, 'health source');
    return [{ name, affects: 'ready', check: () => Promise.reject(error) }];
  }
}

function assertCheck(check: HealthCheck | null | undefined, index: number): void {
  const mistakes = new Mistakes();
  const where = `check number ${index + 1}`;
  if (check === null || check === undefined) {
    mistakes.add(where, `must be an object, not ${shownValue(check)}`);
  } else {
    TEXT.read(check.name, `${where}: name`, mistakes);
    AFFECTS.read(check.affects, `${where}: affects`, mistakes);
    RUN.read(Reflect.get(check, 'check'), `${where}: check`, mistakes);
  }
  mistakes.throwIfAny((found) => new TypeError(`healthChecks(): ${found.join('; ')}`));
}
