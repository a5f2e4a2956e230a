import { type Clock, drawChance, formatDuration } from '@apix/contracts';
import { type ResolvedRestartPolicy, restartDelay } from './restart-policy.js';

export type RestartVerdict =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false; readonly why: string };

/** Counts one service's restarts against its policy. */
export class RestartCounter {
  #attempt = 0;
  #total = 0;
  /** When the latest restarts were decided, as far as the intensity limit looks back. */
  #recent: number[] = [];

  constructor(
    private readonly policy: ResolvedRestartPolicy,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** Restarts since the last stable run. */
  get attempt(): number {
    return this.#attempt;
  }

  get total(): number {
    return this.#total;
  }

  /**
   * From the moment at which the service got ready: after `resetAfter` the attempts start from
   * zero. A timer, so that an adjusted wall clock changes nothing. The returned function ends it.
   */
  awaitStable(): () => void {
    // Why: docs/decisions/0050
    return this.clock.after(this.policy.resetAfter, () => (this.#attempt = 0));
  }

  /** The service ended early: restart it, or not, and why not. */
  next(): RestartVerdict {
    const { maxAttempts, intensity } = this.policy;
    if (maxAttempts > 0 && this.#attempt >= maxAttempts) {
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
    this.#attempt += 1;
    this.#total += 1;
    return { restart: true, delayMs: restartDelay(this.policy, this.#attempt, this.#chance()) };
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
