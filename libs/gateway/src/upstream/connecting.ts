import type { Client } from '@grpc/grpc-js';

/** A call that waits for a connection. */
export interface WaitingCall {
  /** Ends it; nothing where it has ended. */
  giveUp(): void;
}

/**
 * Ends the calls that wait for a connection which is not there in time. grpc-js itself waits for as
 * long as it takes where a server accepts a connection and then says nothing.
 */
export class Connecting {
  readonly #calls = new Set<WaitingCall>();

  constructor(
    private readonly client: Pick<Client, 'waitForReady'>,
    private readonly timeoutMs: number,
  ) {}

  /** All calls that wait for one attempt end with it, as gRPC has it. */
  add(call: WaitingCall): void {
    this.#calls.add(call);
    if (this.#calls.size > 1) return;
    this.client.waitForReady(Date.now() + this.timeoutMs, (error) => {
      const calls = [...this.#calls];
      this.#calls.clear();
      if (error === undefined) return;
      for (const waiting of calls) waiting.giveUp();
    });
  }
}
