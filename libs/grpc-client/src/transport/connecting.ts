import type { ReadyOutcome, ReadyWait } from './readiness.js';

/** A call that waits for a connection. */
export interface WaitingCall {
  /** Whether it waits until its own deadline, as `waitForReady` has it. */
  readonly isPatient: boolean;
  /** Ends it; does nothing if it has ended. */
  giveUp(): void;
}

interface Connectable {
  /** @returns what ends the wait without calling back. */
  whenReady(wait: ReadyWait): () => void;
}

/**
 * Ends the calls that wait for a connection that is not ready in time. grpc-js itself waits without
 * limit if a server accepts a connection and then sends nothing.
 */
// Why: docs/decisions/0184
export class Connecting {
  readonly #calls = new Set<WaitingCall>();
  readonly #connection: Connectable;
  readonly #timeoutMs: number;
  #stop: (() => void) | undefined;

  constructor(connection: Connectable, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** All calls that wait for one attempt end with it, as gRPC specifies. */
  add(call: WaitingCall): void {
    this.#calls.add(call);
    if (this.#stop === undefined) this.#wait();
  }

  /**
   * A call has ended: where connections are refused, calls end long before the wait for one does.
   *
   * @returns whether it was still waiting.
   */
  remove(call: WaitingCall): boolean {
    const wasWaiting = this.#calls.delete(call);
    if (wasWaiting && this.#calls.size === 0) {
      this.#stop?.();
      this.#stop = undefined;
    }
    return wasWaiting;
  }

  #wait(): void {
    this.#stop = this.#connection.whenReady({
      deadline: Date.now() + this.#timeoutMs,
      done: (outcome) => this.#end(outcome),
    });
  }

  #end(outcome: ReadyOutcome): void {
    this.#stop = undefined;
    if (outcome === 'ready') {
      this.#calls.clear();
      return;
    }
    const calls = [...this.#calls];
    // Why: docs/decisions/0196
    const patient = outcome === 'late' ? calls.filter(({ isPatient }) => isPatient) : [];
    // They still wait until they have ended: a call that was never sent does not count as reset.
    for (const call of calls) if (!patient.includes(call)) call.giveUp();
    if (patient.length > 0 && this.#stop === undefined) this.#wait();
  }
}
