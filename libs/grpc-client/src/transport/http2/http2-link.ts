import {
  type ClientSession,
  type ClientStream,
  type ClientStreamListener,
  HTTP2_ERROR,
  type SessionListener,
} from '@apix/http2';
import type { Http2Settings } from './http2-settings.js';
import { IdleTimer } from './idle-timer.js';
import { KeepAlive } from './keep-alive.js';

/** The settings of a connection. */
export type LinkRules = Pick<Http2Settings, 'keepAlive' | 'idleMs' | 'maxCalls'>;

/** The GOAWAY for a client that pings too often (gRFC A8). */
const TOO_MANY_PINGS = 'too_many_pings';

/** One connection of HTTP/2 and its calls. It keeps the process alive only while there are any. */
export class Http2Link implements Pick<SessionListener, 'onGoaway' | 'onClosed'> {
  readonly #session: ClientSession;
  readonly #keepAlive: KeepAlive;
  readonly #idle: IdleTimer;
  readonly #onLeft: (link: Http2Link, tooManyPings: boolean) => void;
  #callsLeft: number;
  #calls = 0;
  #isLeft = false;

  /**
   * @param onLeft called once, when it takes no further calls.
   */
  constructor(
    session: ClientSession,
    { keepAlive, idleMs, maxCalls }: LinkRules,
    onLeft: (link: Http2Link, tooManyPings: boolean) => void,
  ) {
    this.#session = session;
    this.#onLeft = onLeft;
    this.#callsLeft = maxCalls;
    this.#keepAlive = new KeepAlive(session, keepAlive, () => session.destroy());
    this.#idle = new IdleTimer(idleMs, () => this.#leave(false));
    session.unref();
  }

  /** Whether a call may begin on it. */
  get isOpen(): boolean {
    return !this.#isLeft && this.#session.isOpen;
  }

  /** Opens a stream, which counts until {@link end}. */
  begin(headers: readonly string[], listener: ClientStreamListener): ClientStream {
    const stream = this.#session.begin(headers, listener);
    this.#calls += 1;
    if (this.#calls === 1) {
      this.#session.ref();
      this.#keepAlive.begin();
      this.#idle.begin();
    }
    this.#callsLeft -= 1;
    if (this.#callsLeft === 0) this.#leave(false);
    return stream;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    this.#session.unref();
    this.#keepAlive.rest();
    this.#idle.rest();
  }

  /** Closes it once its streams have ended. */
  close(): void {
    this.#session.close();
  }

  onGoaway(code: number, data: Buffer): void {
    this.#leave(code === HTTP2_ERROR.enhanceYourCalm && data.toString('latin1') === TOO_MANY_PINGS);
  }

  onClosed(): void {
    this.#keepAlive.stop();
    this.#leave(false);
  }

  #leave(tooManyPings: boolean): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#idle.stop();
    this.#onLeft(this, tooManyPings);
  }
}
