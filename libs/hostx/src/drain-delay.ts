import { type Clock, type Deadline, pause, systemClock } from '@apix/contracts';

/** For how long, in milliseconds, where nothing else is said. */
export const DEFAULT_DRAIN_DELAY = 5_000;

/** How the host has a drain begin, which depends on what stops it. */
export interface DrainBegin {
  /** For a transport whose options say nothing, in milliseconds. */
  readonly defaultDelayMs: number;
  /** Whether no load balancer has to remove the instance first, so that delays are skipped. */
  readonly skipsDelay: boolean;
}

const UNDER_A_BALANCER: DrainBegin = { defaultDelayMs: DEFAULT_DRAIN_DELAY, skipsDelay: false };

/**
 * The time for which a transport continues to serve once the shutdown has begun, so that load balancers
 * remove it before it stops accepting connections. It counts from {@link begin}, which belongs in
 * `beginDrain`; {@link pass} belongs at the beginning of `stop`.
 */
export class DrainDelay {
  readonly #askedMs: number | undefined;
  readonly #clock: Clock;
  readonly #always: boolean;
  #begunAt: number | null = null;
  #delayMs = 0;

  /**
   * @param delayMs undefined: the default of the host
   * @param always whether it applies even where the host would skip delays
   */
  constructor(delayMs?: number, clock: Clock = systemClock, always = false) {
    this.#askedMs = delayMs;
    this.#clock = clock;
    this.#always = always;
  }

  get hasBegun(): boolean {
    return this.#begunAt !== null;
  }

  /**
   * Begins to count; where it counts already, it continues.
   *
   * @param drain Default: as under a load balancer.
   * @returns how long it takes in all, in milliseconds
   */
  begin(drain: DrainBegin = UNDER_A_BALANCER): number {
    if (this.#begunAt === null) {
      this.#begunAt = this.#clock.now();
      const delayMs = this.#askedMs ?? (this.#always ? DEFAULT_DRAIN_DELAY : drain.defaultDelayMs);
      this.#delayMs = drain.skipsDelay && !this.#always ? 0 : delayMs;
    }
    return this.#delayMs;
  }

  /**
   * Resolves once the delay is over, which takes half of the time left at most: the rest is for calls that
   * are under way.
   */
  pass(deadline: Deadline): Promise<void> {
    this.begin();
    const elapsed = this.#clock.now() - this.#begunAt!;
    const ms = Math.min(this.#delayMs - elapsed, deadline.remainingMs() / 2);
    return pause(ms, deadline.signal, this.#clock);
  }
}
