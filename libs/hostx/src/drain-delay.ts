import { type Clock, type Deadline, pause, systemClock } from '@apix/contracts';

/** For how long, in milliseconds, where nothing else is said. */
export const DEFAULT_DRAIN_DELAY = 5_000;

/**
 * The time for which a transport goes on serving once the shutdown has begun, so that load
 * balancers look away before it accepts no more. It counts from {@link begin}, which belongs in
 * `beginDrain`; {@link pass} belongs at the beginning of `stop`.
 */
export class DrainDelay {
  readonly #delayMs: number;
  readonly #clock: Clock;
  #begunAt: number | null = null;

  constructor(delayMs: number, clock: Clock = systemClock) {
    this.#delayMs = delayMs;
    this.#clock = clock;
  }

  get hasBegun(): boolean {
    return this.#begunAt !== null;
  }

  /** Begins to count; where it counts already, it goes on. */
  begin(): void {
    this.#begunAt ??= this.#clock.now();
  }

  /**
   * Resolves once the delay is over, which takes half of the time left at most: the rest is for
   * what is under way.
   */
  pass(deadline: Deadline): Promise<void> {
    this.begin();
    const elapsed = this.#clock.now() - this.#begunAt!;
    const ms = Math.min(this.#delayMs - elapsed, deadline.remainingMs() / 2);
    return pause(ms, deadline.signal, this.#clock);
  }
}
