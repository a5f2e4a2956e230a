import { type Clock, type Deadline, type Duration, pause, systemClock } from '@apix/contracts';
import { DURATION, FLAG, type OptionTable, type ReadOptions } from '@apix/contracts/internal';

/** For how long, in milliseconds, where nothing else is said. */
export const DEFAULT_DRAIN_DELAY = 5_000;

/** How the host has a drain begin, which depends on what stops it. */
export interface DrainBegin {
  /** For a transport whose options say nothing, in milliseconds. */
  readonly defaultDelayMs: number;
  /** Whether no load balancer has to remove the instance first, so that delays are skipped. */
  readonly skipsDelay: boolean;
  /** What the settings of the host say, for a transport whose options do not. Default: nothing. */
  readonly given?: GivenDrain;
}

/** How the transports of a host drain, unless their own options say otherwise. */
export interface DrainDefaults {
  /** How long they keep serving once the shutdown has begun. Default: '5s', but 0 in Development and Test. */
  readonly delay?: Duration;
  /** Whether the delay is never skipped. Default: false. */
  readonly always?: boolean;
  /** How long clients may take to answer the end of a connection. Default: '1s'. */
  readonly closeGrace?: Duration;
}

/** The allowed values of {@link DrainDefaults}; a `timeout`, as an HTTP service has, is of that service alone. */
export const DRAIN_DEFAULTS = {
  delay: DURATION,
  always: FLAG,
  closeGrace: DURATION,
} satisfies OptionTable<DrainDefaults>;

/** The drain of all transports of a host, as far as it was set; times in milliseconds. */
export type GivenDrain = Partial<ReadOptions<typeof DRAIN_DEFAULTS>>;

const UNDER_A_BALANCER: DrainBegin = { defaultDelayMs: DEFAULT_DRAIN_DELAY, skipsDelay: false };

/**
 * The time for which a transport continues to serve once the shutdown has begun, so that load balancers
 * remove it before it stops accepting connections. It counts from {@link begin}, which belongs in
 * `beginDrain`; {@link pass} belongs at the beginning of `stop`.
 */
export class DrainDelay {
  readonly #askedMs: number | undefined;
  readonly #clock: Clock;
  readonly #always: boolean | undefined;
  #begunAt: number | null = null;
  #delayMs = 0;

  /**
   * @param delayMs undefined: the default of the host
   * @param always whether it applies even where the host would skip delays; undefined: as the host has it
   */
  constructor(delayMs?: number, clock: Clock = systemClock, always?: boolean) {
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
      const { given = {}, defaultDelayMs, skipsDelay } = drain;
      const always = this.#always ?? given.always ?? false;
      const delayMs = given.delay ?? (always ? DEFAULT_DRAIN_DELAY : defaultDelayMs);
      this.#delayMs = skipsDelay && !always ? 0 : (this.#askedMs ?? delayMs);
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
