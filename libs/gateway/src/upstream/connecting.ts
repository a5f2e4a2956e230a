/** A call that waits for a connection. */
export interface WaitingCall {
  /** Ends it; nothing where it has ended. */
  giveUp(): void;
}

interface Connectable {
  /** @param deadline milliseconds since the epoch. */
  whenReady(deadline: number, done: (error?: Error) => void): void;
}

/**
 * Ends the calls that wait for a connection which is not there in time. grpc-js itself waits for as
 * long as it takes where a server accepts a connection and then says nothing.
 */
export class Connecting {
  readonly #calls = new Set<WaitingCall>();
  #isWaiting = false;

  constructor(
    private readonly connection: Connectable,
    private readonly timeoutMs: number,
  ) {}

  /** All calls that wait for one attempt end with it, as gRPC has it. */
  add(call: WaitingCall): void {
    this.#calls.add(call);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.connection.whenReady(Date.now() + this.timeoutMs, (error) => {
      this.#isWaiting = false;
      const calls = [...this.#calls];
      this.#calls.clear();
      if (error === undefined) return;
      for (const waiting of calls) waiting.giveUp();
    });
  }

  /**
   * A call has ended: where connections are refused, calls end long before the wait for one does.
   *
   * @returns whether it was still waiting.
   */
  remove(call: WaitingCall): boolean {
    return this.#calls.delete(call);
  }
}
