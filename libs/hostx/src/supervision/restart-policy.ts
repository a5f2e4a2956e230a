import { type Clock, type Duration, formatDuration, shownValue } from '@apix/contracts';
import {
  drawChance,
  DURATION,
  type Option,
  type OptionTable,
  type ReadOptions,
  duration,
  finiteNumber,
  optionPath,
  readOptions,
  required,
  schemaOf,
  section,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';

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

const RESTART_OPTIONS = {
  maxAttempts: withDefault(wholeNumber({ min: 0 }), 0),
  initialDelay: withDefault(DURATION, 1_000),
  maxDelay: withDefault(DURATION, 60_000),
  // Below 1 the delays would shrink.
  factor: withDefault(finiteNumber({ min: 1 }), 2),
  resetAfter: withDefault(DURATION, 60_000),
  jitter: withDefault(finiteNumber({ min: 0, max: 1 }), 0),
  intensity: section({
    restarts: required(wholeNumber({ min: 1 }), 1),
    per: required(duration({ min: 1 }), 1),
  } satisfies OptionTable<NonNullable<RestartPolicy['intensity']>>),
} satisfies OptionTable<RestartPolicy>;

/** A {@link RestartPolicy} with every default filled in and durations in milliseconds. */
export type ResolvedRestartPolicy = ReadOptions<typeof RESTART_OPTIONS>;

/** A policy, or `'on-failure'` for its defaults. */
export const RESTART: Option<ResolvedRestartPolicy> = {
  schema: { anyOf: [{ const: 'on-failure' }, schemaOf(RESTART_OPTIONS)] },
  read(restart, at, mistakes) {
    if (typeof restart === 'string' && restart !== 'on-failure') {
      mistakes.add(at, `must be a policy or "on-failure", not ${shownValue(restart)}`);
      return undefined;
    }
    const policy = restart === 'on-failure' ? {} : restart;
    const read = readOptions(RESTART_OPTIONS, policy, at, mistakes);
    if (read.maxDelay < read.initialDelay) {
      const given = shownValue((policy as RestartPolicy).maxDelay ?? '1m');
      const least = formatDuration(read.initialDelay);
      mistakes.add(optionPath(at, 'maxDelay'), `must be at least ${least}, not ${given}`);
    }
    return read;
  },
};

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
  if (policy.initialDelay === 0) return 0;
  const grown = policy.initialDelay * policy.factor ** (attempt - 1);
  return Math.min(grown, policy.maxDelay) * (1 - policy.jitter * random);
}

export type RestartVerdict =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false; readonly why: string };

/** Counts one service's restarts against its policy. */
export class RestartCounter {
  /** Restarts since the last stable run; set here alone, as is {@link total}. */
  attempt = 0;
  total = 0;
  /** When the latest restarts were decided, as far as the intensity limit looks back. */
  #recent: number[] = [];

  constructor(
    private readonly policy: ResolvedRestartPolicy,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /**
   * From the moment at which the service got ready: after `resetAfter` the attempts start from
   * zero. A timer, so that an adjusted wall clock changes nothing. The returned function ends it.
   */
  awaitStable(): () => void {
    // Why: docs/decisions/0050
    return this.clock.after(this.policy.resetAfter, () => (this.attempt = 0));
  }

  /** Somebody asked for a restart: the next failure is the first again. */
  startOver(): void {
    this.attempt = 0;
  }

  /** The service ended early: restart it, or not, and why not. */
  next(): RestartVerdict {
    const { maxAttempts, intensity } = this.policy;
    if (maxAttempts > 0 && this.attempt >= maxAttempts) {
      return {
        restart: false,
        why: `gave up after ${maxAttempts} ${maxAttempts === 1 ? 'restart' : 'restarts'}`,
      };
    }
    if (intensity !== undefined) {
      const now = this.clock.now();
      this.#recent = this.#recent.filter((time) => now - time < intensity.per);
      if (this.#recent.length >= intensity.restarts) {
        const per = formatDuration(intensity.per);
        return {
          restart: false,
          why: `gave up, more than ${intensity.restarts} restarts within ${per}`,
        };
      }
      this.#recent.push(now);
    }
    this.attempt += 1;
    this.total += 1;
    return { restart: true, delayMs: restartDelay(this.policy, this.attempt, this.#chance()) };
  }

  /** A source of chance that fails leaves the delay whole; the service must come back all the same. */
  #chance(): number {
    try {
      return drawChance(this.random);
    } catch {
      return 0;
    }
  }
}
