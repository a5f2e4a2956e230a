/** The connection, of either end. */
interface PingedSession {
  /** @returns false where it is gone. */
  ping(answered: (error: Error | null) => void): boolean;
}

/** When a connection is asked whether it is alive (gRFC A8). */
export interface KeepAliveRules {
  /**
   * Milliseconds to the next ping, from the answer to the last one, or at first from the first call or, with
   * `withoutCalls`, from connecting; Infinity: no pings.
   */
  readonly timeMs: number;
  /** Milliseconds that an answer may take before the connection is ended. */
  readonly timeoutMs: number;
  /** Whether pings are sent while there is no call. */
  readonly withoutCalls: boolean;
}

/** Ends a connection that has died in silence. Its timers do not keep the process alive. */
export class KeepAlive {
  readonly #session: PingedSession;
  readonly #rules: KeepAliveRules;
  readonly #onDead: () => void;
  #timer: NodeJS.Timeout | undefined;
  #hasCalls = false;
  /** A ping was due when there were no calls: the next call sends it. */
  #isOverdue = false;

  constructor(session: PingedSession, rules: KeepAliveRules, onDead: () => void) {
    this.#session = session;
    this.#rules = rules;
    this.#onDead = onDead;
    if (rules.withoutCalls) this.#wait();
  }

  /** There are calls again. */
  begin(): void {
    this.#hasCalls = true;
    if (this.#isOverdue) {
      this.#isOverdue = false;
      this.#ping();
    } else if (this.#timer === undefined) this.#wait();
  }

  /** There are no calls any more. */
  rest(): void {
    this.#hasCalls = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const { timeMs } = this.#rules;
    if (timeMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasCalls || this.#rules.withoutCalls) this.#ping();
      else this.#isOverdue = true;
    }, timeMs).unref();
  }

  #ping(): void {
    this.#timer = setTimeout(this.#onDead, this.#rules.timeoutMs).unref();
    const isSent = this.#session.ping((error) => {
      this.stop();
      if (error === null) this.#wait();
    });
    if (!isSent) this.#onDead();
  }
}
