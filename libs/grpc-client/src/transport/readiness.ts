import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { connectivityState } from '@grpc/grpc-js';

/** As much of a channel of grpc-js as is needed to follow its state. */
export interface WatchedChannel {
  /** @param tryToConnect connects if there is no connection. */
  getConnectivityState(tryToConnect: boolean): connectivityState;
  /** Calls back once the state is another one than `from`. */
  watchConnectivityState(from: connectivityState, deadline: number, done: () => void): void;
  /** Closes it once the calls in flight have ended. */
  close(): void;
}

/** The result of waiting for a connection; `late`: there was none before the deadline. */
export type ReadyOutcome = 'ready' | 'late' | 'closed';

/** The callback of a wait for a connection. */
export interface ReadyWait {
  /** Milliseconds since the epoch; Infinity for no end. */
  readonly deadline: number;
  /** Whether the wait keeps the process alive, if it has a deadline. Default: false; calls that wait may do so. */
  readonly holdsProcess?: boolean;
  /** Called once, and not before the wait was begun. */
  done(outcome: ReadyOutcome): void;
}

/**
 * Waits for a channel to be connected. It is watched once however many wait, without a deadline, and not again once
 * nobody waits: a watch of grpc-js cannot be ended, and with a deadline keeps the process alive until then.
 */
export class Readiness {
  readonly #channel: WatchedChannel;
  readonly #waits = new Map<ReadyWait, NodeJS.Timeout | undefined>();
  #isWatching = false;

  constructor(channel: WatchedChannel) {
    this.#channel = channel;
  }

  /**
   * Connects, and calls back.
   *
   * @returns what ends the wait without calling back.
   */
  wait(wait: ReadyWait): () => void {
    this.#waits.set(wait, this.#timerOf(wait));
    if (!this.#isWatching) {
      this.#isWatching = true;
      queueMicrotask(() => this.#follow());
    }
    return () => this.#forget(wait);
  }

  #follow(): void {
    this.#isWatching = false;
    if (this.#waits.size === 0) return;
    // Asked to connect, a channel that is closed would open again.
    let state = this.#channel.getConnectivityState(false);
    if (state !== connectivityState.SHUTDOWN) state = this.#channel.getConnectivityState(true);
    if (state === connectivityState.READY) this.#end('ready');
    else if (state === connectivityState.SHUTDOWN) this.#end('closed');
    else {
      this.#isWatching = true;
      this.#channel.watchConnectivityState(state, Infinity, () => this.#follow());
    }
  }

  #end(outcome: ReadyOutcome): void {
    // Not those that are begun meanwhile.
    const waits = [...this.#waits.keys()];
    for (const wait of waits) {
      if (this.#forget(wait)) wait.done(outcome);
    }
  }

  #forget(wait: ReadyWait): boolean {
    clearTimeout(this.#waits.get(wait));
    return this.#waits.delete(wait);
  }

  #timerOf(wait: ReadyWait): NodeJS.Timeout | undefined {
    const { deadline, holdsProcess = false } = wait;
    if (deadline === Infinity) return undefined;
    const late = (): void => {
      if (this.#forget(wait)) wait.done('late');
    };
    const timer = setTimeout(late, Math.min(Math.max(deadline - Date.now(), 0), MAX_TIMER_MS));
    return holdsProcess ? timer : timer.unref();
  }
}
