import { connectivityState } from '@grpc/grpc-js';
import type { ChannelState } from './call-transport.js';
import { Connecting, type WaitingCall } from './connecting.js';
import { Readiness, type ReadyWait, type WatchedChannel } from './readiness.js';

/**
 * Calls of a connection that are under way or were reset lately. Half of what Node's HTTP/2 server
 * lets be reset at once before it ends the connection and all of its calls (nghttp2: 1,000).
 */
const MAX_CALLS = 500;

/** Resets that are forgotten in a second; nghttp2 forgets 33. */
const FORGOTTEN_PER_SECOND = 16;

const STATES: Readonly<Record<connectivityState, ChannelState>> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'failing',
  [connectivityState.SHUTDOWN]: 'closed',
};

/** One connection to a server, and how many of its calls could be reset. */
export class ServerConnection<C extends WatchedChannel> {
  readonly channel: C;
  readonly #readiness: Readiness;
  readonly #connecting: Connecting;
  readonly #onIdle: () => void;
  #calls = 0;
  #resets = 0;
  #countedAt = performance.now();

  constructor(channel: C, connectTimeoutMs: number, onIdle: () => void) {
    this.channel = channel;
    this.#readiness = new Readiness(channel);
    this.#connecting = new Connecting(this, connectTimeoutMs);
    this.#onIdle = onIdle;
  }

  get state(): ChannelState {
    return STATES[this.channel.getConnectivityState(false)];
  }

  get isReady(): boolean {
    return this.channel.getConnectivityState(false) === connectivityState.READY;
  }

  get isIdle(): boolean {
    return this.#calls === 0;
  }

  /** Whether the server tolerates one more call, even if all of them are reset. */
  get hasRoom(): boolean {
    if (this.#calls + this.#resets < MAX_CALLS) return true;
    this.#forget();
    return this.#calls + this.#resets < MAX_CALLS;
  }

  begin(call: WaitingCall): void {
    this.#calls += 1;
    if (!this.isReady) this.#connecting.add(call);
  }

  /** @param wasReset by this end, which a server counts. */
  end(call: WaitingCall, wasReset: boolean): void {
    this.#calls -= 1;
    const wasSent = !this.#connecting.remove(call);
    if (wasReset && wasSent) {
      this.#forget();
      this.#resets += 1;
    }
    if (this.#calls === 0) this.#onIdle();
  }

  /**
   * Connects, and calls back once.
   *
   * @returns what ends the wait without calling back.
   */
  whenReady(wait: ReadyWait): () => void {
    return this.#readiness.wait(wait);
  }

  /** Closes it once the calls in flight have ended. */
  close(): void {
    this.channel.close();
  }

  #forget(): void {
    const now = performance.now();
    const forgotten = ((now - this.#countedAt) / 1_000) * FORGOTTEN_PER_SECOND;
    this.#resets = Math.max(0, this.#resets - forgotten);
    this.#countedAt = now;
  }
}
