import { type Duration, parseDuration } from '@apix/contracts';

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

/** Fills in the defaults of the spec and says everything that is wrong with a policy. */
export function resolveRestartPolicy(
  policy: RestartPolicy,
  mistakes: string[],
): ResolvedRestartPolicy {
  const duration = (field: string, value: Duration): number => {
    try {
      return parseDuration(value);
    } catch (error) {
      mistakes.push(`${field}: ${(error as Error).message.replace(/^apix: /, '')}`);
      return Number.NaN;
    }
  };
  const resolved: ResolvedRestartPolicy = {
    maxAttempts: policy.maxAttempts ?? 0,
    initialDelayMs: duration('initialDelay', policy.initialDelay ?? '1s'),
    maxDelayMs: duration('maxDelay', policy.maxDelay ?? '1m'),
    factor: policy.factor ?? 2,
    resetAfterMs: duration('resetAfter', policy.resetAfter ?? '1m'),
    jitter: policy.jitter ?? 0,
    intensity: policy.intensity
      ? {
          restarts: policy.intensity.restarts,
          perMs: duration('intensity.per', policy.intensity.per),
        }
      : null,
  };
  const { maxAttempts, factor, jitter, intensity } = resolved;
  if (!Number.isInteger(maxAttempts) || maxAttempts < 0) {
    mistakes.push(`maxAttempts: ${maxAttempts} is no number of restarts; 0 means unlimited`);
  }
  if (!Number.isFinite(factor) || factor < 1) {
    mistakes.push(`factor: ${factor} is below 1, delays would shrink`);
  }
  if (!(jitter >= 0 && jitter <= 1)) mistakes.push(`jitter: ${jitter} is not between 0 and 1`);
  if (resolved.maxDelayMs < resolved.initialDelayMs) {
    mistakes.push(
      `maxDelay: ${resolved.maxDelayMs} ms is below initialDelay, ${resolved.initialDelayMs} ms`,
    );
  }
  if (intensity !== null && !(Number.isInteger(intensity.restarts) && intensity.restarts > 0)) {
    mistakes.push(`intensity.restarts: ${intensity.restarts} is no positive whole number`);
  }
  if (intensity?.perMs === 0) mistakes.push('intensity.per: must be longer than nothing');
  return resolved;
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
  // The power is infinite in the end, and nothing times infinity is no number.
  if (policy.initialDelayMs === 0) return 0;
  const grown = policy.initialDelayMs * policy.factor ** (attempt - 1);
  return Math.min(grown, policy.maxDelayMs) * (1 - policy.jitter * random);
}
