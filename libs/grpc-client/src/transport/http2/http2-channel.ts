import { connectivityState } from '@grpc/grpc-js';
import type { WatchedChannel } from '../readiness.js';
import { ConnectionBackoff } from './backoff.js';
import { type Attempt, connectTo } from './connect.js';
import { Http2Link } from './http2-link.js';
import type { Http2Settings } from './http2-settings.js';
import type { KeepAliveRules } from './keep-alive.js';

/** A call that needs a connection. */
export interface Connectee {
  /** Whether it waits where the last attempt has failed. */
  readonly isPatient: boolean;
  onLink(link: Http2Link): void;
  onNoConnection(details: string): void;
}

/**
 * The connection to one server: made for the first call, made again for the next one after it was lost or the
 * server has asked to leave it (connectivity-semantics-and-api.md), and while it cannot be made tried again by
 * itself, at growing intervals (connection-backoff.md).
 */
export class Http2Channel implements WatchedChannel {
  readonly settings: Http2Settings;
  readonly #backoff: ConnectionBackoff;
  readonly #waiting = new Set<Connectee>();
  #watches: (() => void)[] = [];
  #keepAlive: KeepAliveRules;
  #state = connectivityState.IDLE;
  #link: Http2Link | undefined;
  #attempt: Attempt | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastError = '';
  /** The encodings that the server can read; undefined until it has stated them. */
  acceptedEncodings: string | undefined;

  constructor(settings: Http2Settings) {
    this.settings = settings;
    this.#backoff = new ConnectionBackoff(settings.backoff);
    this.#keepAlive = settings.keepAlive;
  }

  getConnectivityState(tryToConnect: boolean): connectivityState {
    if (tryToConnect && this.#state === connectivityState.IDLE) this.#connect();
    return this.#state;
  }

  watchConnectivityState(from: connectivityState, _deadline: number, run: () => void): void {
    if (from === this.#state) this.#watches.push(run);
    else queueMicrotask(run);
  }

  /** Gives a call its connection, at once where there is one. */
  join(call: Connectee): void {
    const link = this.#link;
    if (link?.isOpen === true) {
      call.onLink(link);
      return;
    }
    if (link !== undefined) this.#leave(link);
    if (this.#state === connectivityState.SHUTDOWN) {
      call.onNoConnection('the client is closed');
      return;
    }
    if (this.#state === connectivityState.TRANSIENT_FAILURE && !call.isPatient) {
      call.onNoConnection(this.#reason);
      return;
    }
    this.#waiting.add(call);
    if (this.#state === connectivityState.IDLE) this.#connect();
    // Waiting calls keep the process alive.
    this.#timer?.ref();
    this.#attempt?.ref();
  }

  /** Removes a call that no longer waits. */
  forget(call: Connectee): void {
    if (!this.#waiting.delete(call) || this.#waiting.size > 0) return;
    this.#timer?.unref();
    this.#attempt?.unref();
  }

  /** Calls under way continue; those that wait end. */
  close(): void {
    this.#enter(connectivityState.SHUTDOWN);
    clearTimeout(this.#timer);
    this.#attempt?.cancel();
    this.#attempt = undefined;
    this.#link?.close();
    this.#link = undefined;
    this.#refuse([...this.#waiting], 'the client is closed');
  }

  #connect(): void {
    // A server that cannot be reached stays one until it can (gRFC A62).
    if (this.#state === connectivityState.IDLE) this.#enter(connectivityState.CONNECTING);
    const nextAt = performance.now() + this.#backoff.next();
    this.#attempt = connectTo(this.settings, {
      onReady: (session) => {
        this.#attempt = undefined;
        this.#backoff.reset();
        const rules = { ...this.settings, keepAlive: this.#keepAlive };
        const link = new Http2Link(session, rules, (left, tooManyPings) => {
          if (tooManyPings) this.#pingLess();
          this.#leave(left);
        });
        this.#link = link;
        this.#enter(connectivityState.READY);
        this.#admit();
        return link;
      },
      onFailure: ({ message }) => {
        this.#attempt = undefined;
        this.#lastError = message;
        this.#enter(connectivityState.TRANSIENT_FAILURE);
        this.#wait(Math.max(0, nextAt - performance.now()));
        this.#refuse(
          [...this.#waiting].filter(({ isPatient }) => !isPatient),
          this.#reason,
        );
      },
    });
    if (this.#waiting.size > 0) this.#attempt.ref();
  }

  get #reason(): string {
    return `No connection established. Last error: ${this.#lastError}`;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#connect(), ms);
    if (this.#waiting.size === 0) this.#timer.unref();
  }

  #admit(): void {
    const link = this.#link;
    for (const call of this.#waiting) {
      if (link?.isOpen !== true) break;
      this.#waiting.delete(call);
      call.onLink(link);
    }
  }

  /** A connection takes no further calls. */
  #leave(link: Http2Link): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    // Streams that are open end on it.
    link.close();
    this.#enter(connectivityState.IDLE);
    if (this.#waiting.size > 0) this.#connect();
  }

  #pingLess(): void {
    this.#keepAlive = { ...this.#keepAlive, timeMs: this.#keepAlive.timeMs * 2 };
  }

  #refuse(calls: readonly Connectee[], details: string): void {
    for (const call of calls) {
      this.#waiting.delete(call);
      call.onNoConnection(details);
    }
  }

  #enter(state: connectivityState): void {
    if (state === this.#state || this.#state === connectivityState.SHUTDOWN) return;
    this.#state = state;
    const watches = this.#watches;
    this.#watches = [];
    for (const run of watches) run();
  }
}
