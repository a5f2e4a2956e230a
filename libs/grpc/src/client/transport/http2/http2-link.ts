import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
  constants,
} from 'node:http2';
import type { Http2Settings } from './http2-settings.js';
import { IdleTimer } from './idle-timer.js';
import { KeepAlive } from './keep-alive.js';

/** The settings of a connection. */
export type LinkRules = Pick<Http2Settings, 'keepAlive' | 'idleMs' | 'maxCalls'>;

/** The GOAWAY for a client that pings too often (gRFC A8). */
const TOO_MANY_PINGS = 'too_many_pings';

/** One connection of HTTP/2 and its calls. It holds the process only while there are any. */
export class Http2Link {
  readonly #session: ClientHttp2Session;
  readonly #keepAlive: KeepAlive;
  readonly #idle: IdleTimer;
  readonly #leave: () => void;
  #callsLeft: number;
  #calls = 0;
  #isLeft = false;

  /**
   * @param onLeft called once, when it takes no further calls.
   */
  constructor(
    session: ClientHttp2Session,
    { keepAlive, idleMs, maxCalls }: LinkRules,
    onLeft: (link: Http2Link, tooManyPings: boolean) => void,
  ) {
    this.#session = session;
    const left = (tooManyPings: boolean): void => {
      if (this.#isLeft) return;
      this.#isLeft = true;
      this.#idle.stop();
      onLeft(this, tooManyPings);
    };
    this.#callsLeft = maxCalls;
    this.#leave = () => left(false);
    this.#keepAlive = new KeepAlive(session, keepAlive, () => session.destroy());
    this.#idle = new IdleTimer(idleMs, this.#leave);
    session.once('goaway', (code: number, _last: number, data?: Uint8Array) => {
      const calm = code === constants.NGHTTP2_ENHANCE_YOUR_CALM;
      left(calm && data !== undefined && String(data) === TOO_MANY_PINGS);
    });
    session.once('close', () => {
      this.#keepAlive.stop();
      this.#idle.stop();
      left(false);
    });
    session.unref();
  }

  /** Whether a call may begin on it. */
  get isOpen(): boolean {
    return !this.#isLeft && !this.#session.closed && !this.#session.destroyed;
  }

  /** Whether it broke, with all of its streams. */
  get isLost(): boolean {
    return this.#session.destroyed;
  }

  /**
   * Opens a stream, which counts until {@link end}.
   *
   * @throws Error for headers that HTTP/2 cannot carry.
   */
  begin(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    const stream = this.#session.request(headers);
    this.#calls += 1;
    if (this.#calls === 1) {
      this.#session.ref();
      this.#keepAlive.begin();
      this.#idle.begin();
    }
    this.#callsLeft -= 1;
    if (this.#callsLeft === 0) this.#leave();
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
    if (!this.#session.destroyed) this.#session.close();
  }
}
