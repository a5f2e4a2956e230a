import type { Duration, HealthCheck } from '@apix/contracts';

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

/** Something that can be asked whether it is well. */
export interface Checker extends HealthCheck {
  readonly timeout?: Duration | undefined;
  readonly cache?: Duration | undefined;
}

/**
 * A checker of one function, which throws or rejects if the checked thing does not work. The signal aborts
 * when the check has taken too long.
 *
 * By default it counts for both endpoints, as the spec requires. Choose `affects: 'ready'` for faults that
 * a restart of this instance does not fix, such as a database that is down for all instances.
 */
export function checkerFunc(
  name: string,
  fn: (signal: AbortSignal) => unknown,
  options: CheckerOptions = {},
): Checker {
  const check = async (signal: AbortSignal): Promise<void> => {
    await fn(signal);
  };
  return { ...options, name, affects: options.affects ?? 'live', check };
}

/** The result of an indicator of `@nestjs/terminus`: by key, a status and further details. */
export type IndicatorResult = Readonly<Record<string, IndicatorStatus>>;

interface IndicatorStatus {
  readonly status: string;
  readonly message?: unknown;
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
  return checkerFunc(name, async (signal) => assertUp(await indicate(signal)), options);
}

function assertUp(result: IndicatorResult): void {
  const down = Object.entries(result).filter(([, { status }]) => status === 'down');
  if (down.length === 0) return;
  const texts = down.map(([key, { message }]) =>
    typeof message === 'string' ? message : `${key} is down`,
  );
  throw new Error(texts.join('; '));
}
