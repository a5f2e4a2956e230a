import { type Duration, type Mistakes, shownValue } from '@apix/contracts';

/** How a service that ended before shutdown is started again. */
export interface RestartPolicy {
  /** Restarts in a row, without a stable run between, before the host gives up. Default: 0, unlimited. */
  readonly maxAttempts?: number;
  /** Delay before the first restart. Default: '1s'. */
  readonly initialDelay?: Duration;
  /** No delay is longer. Default: '1m'. */
  readonly maxDelay?: Duration;
  /** Each delay is this many times the one before; at least 1. Default: 2. */
  readonly factor?: number;
  /** A run that stays ready for this long is stable: the attempts start from zero again. Default: '1m'. */
  readonly resetAfter?: Duration;
  /**
   * Share of each delay, 0 to 1, that is left to chance: 0.2 makes 10s anything from 8s to 10s,
   * so that replicas do not come back in step. Default: 0.
   */
  readonly jitter?: number;
  /** More restarts than this within the period stop the host, stable runs or not. Default: no limit. */
  readonly intensity?: { readonly restarts: number; readonly per: Duration };
}

/** A {@link RestartPolicy} with every default filled in and durations in milliseconds. */
export interface ResolvedRestartPolicy {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly factor: number;
  readonly resetAfterMs: number;
  readonly jitter: number;
  readonly intensity: { readonly restarts: number; readonly perMs: number } | null;
}

/** The policy of a service, the defaults for `'on-failure'`; null if it has none. */
export function readRestart(
  restart: RestartPolicy | 'on-failure' | undefined,
  mistakes: Mistakes,
): ResolvedRestartPolicy | null {
  if (typeof restart !== 'string') return restart ? resolveRestartPolicy(restart, mistakes) : null;
  if (restart !== 'on-failure') {
    mistakes.add('', `must be a policy or "on-failure", not ${shownValue(restart)}`);
  }
  return resolveRestartPolicy({}, mistakes);
}

/** Fills in the defaults of the spec; everything that is wrong with a policy goes to `mistakes`. */
export function resolveRestartPolicy(
  policy: RestartPolicy,
  mistakes: Mistakes,
): ResolvedRestartPolicy {
  const { intensity } = policy;
  const initialDelayMs = mistakes.duration('initialDelay', policy.initialDelay ?? '1s');
  return {
    maxAttempts: mistakes.count('maxAttempts', policy.maxAttempts ?? 0, { min: 0 }),
    initialDelayMs,
    maxDelayMs: mistakes.duration('maxDelay', policy.maxDelay ?? '1m', { min: initialDelayMs }),
    // Below 1 the delays would shrink.
    factor: mistakes.number('factor', policy.factor ?? 2, { min: 1 }),
    resetAfterMs: mistakes.duration('resetAfter', policy.resetAfter ?? '1m'),
    jitter: mistakes.number('jitter', policy.jitter ?? 0, { min: 0, max: 1 }),
    intensity: intensity
      ? {
          restarts: mistakes.count('intensity.restarts', intensity.restarts, { min: 1 }),
          perMs: mistakes.duration('intensity.per', intensity.per, { min: 1 }),
        }
      : null,
  };
}

/**
 * Milliseconds before restart number `attempt` (from 1).
 *
 * @param random from 0 up to 1, what chance says for the jitter.
 */
export function restartDelay(
  policy: ResolvedRestartPolicy,
  attempt: number,
  random: number,
): number {
  // The power is infinite in the end, and nothing times infinity is not a number.
  if (policy.initialDelayMs === 0) return 0;
  const grown = policy.initialDelayMs * policy.factor ** (attempt - 1);
  return Math.min(grown, policy.maxDelayMs) * (1 - policy.jitter * random);
}
