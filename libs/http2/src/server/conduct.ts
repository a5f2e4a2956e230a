import { ConnectionError, HTTP2_ERROR } from '../frames/frames.js';

/** How often something may be done: a number at once, so many a second after that, and what is earned by other means. */
class Allowance {
  readonly #most: number;
  readonly #perMs: number;
  readonly #now: () => number;
  #left: number;
  #since: number;

  constructor(most: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#perMs = perSecond / 1_000;
    this.#now = now;
    this.#left = most;
    this.#since = now();
  }

  /** @returns false where it is used up. */
  spend(cost: number): boolean {
    this.#left -= cost;
    if (this.#left >= 0) return true;
    // Time is looked at only here, because most connections never get here.
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + (now - this.#since) * this.#perMs);
    this.#since = now;
    return this.#left >= 0;
  }

  earn(count: number): void {
    this.#left = Math.min(this.#most, this.#left + count);
  }
}

/** Streams that end by a reset: more than that, unless as many are answered. */
const RESETS = { most: 1_000, perSecond: 100 };

/** Frames that bring nothing: more than that, unless there are requests and answers to go with them. */
const IDLE_FRAMES = { most: 10_000, perSecond: 1_000 };

/** A frame of settings changes windows and tables. */
const SETTINGS_COST = 10;

const EARNED_BY_ANSWER = 10;
const EARNED_BY_DATA = 3;

/** Bytes that earn one frame where a window has cut them, so that tiny windows do not pay for themselves. */
const CUT_BYTES = 1_024;

/**
 * How a client behaves. What costs more than it brings is counted: resets of either end, and frames that are neither
 * requests nor data. Who answers and reads in between may go on as long as they like.
 */
// Why: docs/decisions/0490
export class Conduct {
  readonly #resets: Allowance;
  readonly #frames: Allowance;

  constructor(now?: () => number) {
    this.#resets = new Allowance(RESETS.most, RESETS.perSecond, now);
    this.#frames = new Allowance(IDLE_FRAMES.most, IDLE_FRAMES.perSecond, now);
  }

  /**
   * A stream was reset by the client, or here for what the client did.
   *
   * @throws ConnectionError
   */
  countReset(): void {
    if (!this.#resets.spend(1)) throw misused('too many streams that are reset');
  }

  /**
   * A frame that is neither a request nor data.
   *
   * @throws ConnectionError
   */
  countFrame(): void {
    if (!this.#frames.spend(1)) throw misused('too many frames without requests or data');
  }

  /** @throws ConnectionError */
  countSettings(): void {
    if (!this.#frames.spend(SETTINGS_COST)) throw misused('too many frames of settings');
  }

  /** A request was answered in full. */
  creditAnswer(): void {
    this.#resets.earn(1);
    this.#frames.earn(EARNED_BY_ANSWER);
  }

  /** @param isCut whether the window of the client let no more of it through. */
  creditSent(bytes: number, isCut: boolean): void {
    this.#frames.earn(isCut ? bytes / CUT_BYTES : EARNED_BY_DATA);
  }
}

function misused(message: string): ConnectionError {
  return new ConnectionError(HTTP2_ERROR.enhanceYourCalm, message);
}

/** How long a client may take for what it has begun: its preface and settings, a header block, reading its answers. */
const WAIT_MS = 10_000;

/** Waits for one thing at a time. */
export class WaitLimit {
  readonly #onLost: (reason: string) => void;
  #awaited: number | 'reading' | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onLost: (reason: string) => void) {
    this.#onLost = onLost;
  }

  /** @param awaited 0 for the settings, the number of a header block, or nothing; another one begins again. */
  watch(awaited: number | 'reading' | undefined): void {
    if (awaited === this.#awaited) return;
    this.#awaited = awaited;
    clearTimeout(this.#timer);
    if (awaited === undefined) return;
    const what =
      awaited === 'reading' ? 'answers read' : awaited === 0 ? 'settings' : 'whole header block';
    const reason = `no ${what} within ${WAIT_MS / 1_000} s`;
    this.#timer = setTimeout(() => this.#onLost(reason), WAIT_MS).unref();
  }

  stop(): void {
    this.watch(undefined);
  }
}
