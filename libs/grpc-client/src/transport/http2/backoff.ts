/** The pause after a failed attempt to connect, in milliseconds. */
export interface BackoffLimits {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Of connection-backoff.md. */
export const BACKOFF_LIMITS: BackoffLimits = { initialMs: 1_000, maxMs: 120_000 };

const MULTIPLIER = 1.6;
const JITTER = 0.2;

/** The pauses between attempts to connect (connection-backoff.md). */
export class ConnectionBackoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #nextMs: number;

  constructor(limits: BackoffLimits, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
    this.#nextMs = limits.initialMs;
  }

  /** How long to wait after one more attempt, counted from its start. */
  next(): number {
    const pause = this.#nextMs;
    this.#nextMs = Math.min(pause * MULTIPLIER, this.#limits.maxMs);
    return pause * (1 - JITTER + this.#random() * 2 * JITTER);
  }

  /** There was a connection. */
  reset(): void {
    this.#nextMs = this.#limits.initialMs;
  }
}
