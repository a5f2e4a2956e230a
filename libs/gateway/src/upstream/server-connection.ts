import { type Client, connectivityState } from '@grpc/grpc-js';
import { Connecting, type WaitingCall } from './connecting.js';

/**
 * Calls of a connection that are under way or were reset lately. Half of what Node's HTTP/2 server
 * lets be reset at once before it ends the connection and all of its calls (nghttp2: 1,000).
 */
const MAX_CALLS = 500;

/** Resets that are forgotten in a second; nghttp2 forgets 33. */
const FORGOTTEN_PER_SECOND = 16;

/** One connection to a server, and how many of its calls could be reset. */
export class ServerConnection {
  readonly channel: ReturnType<Client['getChannel']>;
  readonly #connecting: Connecting;
  #calls = 0;
  #resets = 0;
  #countedAt = performance.now();
  #isClosed = false;

  constructor(
    private readonly client: Client,
    connectTimeoutMs: number,
    private readonly onIdle: (connection: ServerConnection) => void,
  ) {
    this.channel = client.getChannel();
    this.#connecting = new Connecting(this, connectTimeoutMs);
  }

  get isReady(): boolean {
    return this.channel.getConnectivityState(false) === connectivityState.READY;
  }

  get isIdle(): boolean {
    return this.#calls === 0;
  }

  /** Whether the server bears one more call, and that all of them are reset. */
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
    if (this.#calls === 0) this.onIdle(this);
  }

  /**
   * Connects, and calls back once. `waitForReady()` of grpc-js would open a channel again that is
   * closed meanwhile.
   *
   * @param deadline milliseconds since the epoch.
   */
  whenReady(deadline: number, done: (error?: Error) => void): void {
    if (this.#isClosed) {
      done(new Error('The connection is closed'));
      return;
    }
    const state = this.channel.getConnectivityState(true);
    if (state === connectivityState.READY) {
      done();
      return;
    }
    this.channel.watchConnectivityState(state, deadline, (error) => {
      if (error === undefined) this.whenReady(deadline, done);
      else done(new Error('No connection before the deadline'));
    });
  }

  /** Closes it once the calls in flight have ended. */
  close(): void {
    this.#isClosed = true;
    this.client.close();
  }

  #forget(): void {
    const now = performance.now();
    const forgotten = ((now - this.#countedAt) / 1_000) * FORGOTTEN_PER_SECOND;
    this.#resets = Math.max(0, this.#resets - forgotten);
    this.#countedAt = now;
  }
}
