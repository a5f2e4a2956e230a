import { AsyncResource } from 'node:async_hooks';
import type { Side } from './mailbox.js';

/** After so many hops in a row, of all calls together, I/O and timers get a turn. */
const HOPS_PER_TURN = 256;

/**
 * Takes calls from one side to the other: in a microtask, so that neither side runs inside of
 * the other's stack, and with the asynchronous context of the side that is entered, so that a
 * handler does not find its caller's `AsyncLocalStorage` values, as it does not over the wire.
 */
export class Hops {
  readonly #context = contextOfNow();
  #inARow = 0;
  /** The side of the server, of all calls. */
  readonly server: Side = { hop: (run) => this.toServer(run) };

  toServer(run: () => void): void {
    this.#hop(this.#context, run);
  }

  toClient(client: AsyncResource, run: () => void): void {
    this.#hop(client, run);
  }

  /** Schedules in the context rather than running in it: `enterWith` must not change it. */
  #hop(context: AsyncResource, run: () => void): void {
    this.#inARow += 1;
    if (this.#inARow < HOPS_PER_TURN) {
      context.runInAsyncScope(queueMicrotask, undefined, run);
    } else {
      this.#inARow = 0;
      context.runInAsyncScope(setImmediate, undefined, run);
    }
  }
}

/** The asynchronous context that this is called in, to come back to. */
export function contextOfNow(): AsyncResource {
  return new AsyncResource('ApixInProcessCall', { requireManualDestroy: true });
}
