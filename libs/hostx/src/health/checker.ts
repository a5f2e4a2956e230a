import type { Duration, HealthCheck, IndicatorResult } from '@apix/contracts';
import {
  anyValue,
  checkedOptions,
  choice,
  type OptionTable,
  withDefault,
} from '@apix/contracts/internal';
import { mistakesIn } from '../errors.js';

export interface CheckerOptions {
  /**
   * `live`: counts for the live and the ready endpoint, so that a failure gets the instance
   * restarted; `ready`: a failure only keeps traffic away. Default: 'live'.
   */
  readonly affects?: HealthCheck['affects'];
  /** How long one run may take before it counts as failed. Default: that of the registry. */
  readonly timeout?: Duration;
  /** How long an outcome, good or bad, is good for. Default: that of the registry. */
  readonly cache?: Duration;
}

const CHECKER_OPTIONS = {
  affects: withDefault(choice(['live', 'ready']), 'live'),
  // Read by the registry, which has their defaults.
  timeout: anyValue<Duration>(),
  cache: anyValue<Duration>(),
} satisfies OptionTable<CheckerOptions>;

/** Something that can be asked whether it is well. */
export interface Checker extends HealthCheck {
  readonly timeout?: Duration | undefined;
  readonly cache?: Duration | undefined;
}

/**
 * A checker of one function. The checked thing works unless the function throws, rejects, returns `false` or
 * a result of terminus with a key that is `down`; any other value, such as the rows of a query, is a mistake
 * and counts as a failure. The signal aborts when the check has taken too long.
 *
 * By default it counts for both endpoints, as the spec requires. Choose `affects: 'ready'` for faults that
 * a restart of this instance does not fix, such as a database that is down for all instances.
 *
 * @throws HostError for options that there are not.
 */
export function checkerFunc(
  name: string,
  fn: HealthCheck['check'],
  options: CheckerOptions = {},
): Checker {
  const read = checkedOptions(CHECKER_OPTIONS, options, mistakesIn(`check ${name}`));
  return { ...read, name, check: (signal) => fn(signal) };
}

/**
 * A checker of a `@nestjs/terminus` indicator: `indicatorChecker('db', () => db.pingCheck('db'))`.
 * It fails when one of the keys is `down`; `degraded` passes, as it does there.
 */
export function indicatorChecker(
  name: string,
  indicate: (signal: AbortSignal) => PromiseLike<IndicatorResult> | IndicatorResult,
  options: CheckerOptions = {},
): Checker {
  return checkerFunc(name, indicate, options);
}
