import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type Http2ServerStream,
  type ReceivedRequest,
  ServerSession,
  type ServerSessionListener,
  type ServerStreamListener,
} from '@apix/http2';
import { IdleTimer, KeepAlive } from '@apix/grpc-client/internal';
import type { ConnectionSettings } from './connection-settings.js';
import type { WireCarrier } from './wire-carrier.js';

/** By how much of itself the age at which a connection ends differs, so that not all end at once (gRFC A9). */
const AGE_JITTER = 0.1;

/** What connections are for. */
export interface ConnectionOwner {
  readonly settings: ConnectionSettings;
  /** A request has come; must not throw. */
  accept(
    connection: ServedConnection,
    stream: Http2ServerStream,
    request: ReceivedRequest,
  ): ServerStreamListener;
  /** A connection ends for what its client did. */
  onMisuse(peer: string | undefined, reason: string): void;
  onClosed(connection: ServedConnection): void;
}

/** A connection of a client, with the times that limit it. */
export class ServedConnection implements ServerSessionListener, WireCarrier {
  readonly info: WireCarrier['info'];
  readonly authContext: WireCarrier['authContext'];
  readonly #owner: ConnectionOwner;
  readonly #session: ServerSession;
  readonly #keepAlive: KeepAlive;
  readonly #idle: IdleTimer | undefined;
  /** Of its age, and then of the grace after that. */
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;

  /** @param socket connected, and with TLS agreed on `h2`. */
  constructor(socket: Socket, owner: ConnectionOwner) {
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    this.info = { remoteAddress, remotePort, localAddress, localPort };
    this.authContext = authContextOf(socket);
    this.#owner = owner;
    const { settings } = owner;
    const { maxStreams, windowBytes } = settings;
    const limits = { maxStreams, ...(windowBytes !== undefined && { windowBytes }) };
    this.#session = new ServerSession(socket, this, limits);
    const { keepAliveMs: timeMs, keepAliveTimeoutMs: timeoutMs, maxIdleMs, maxAgeMs } = settings;
    const rules = { timeMs, timeoutMs, withoutCalls: true };
    this.#keepAlive = new KeepAlive(this.#session, rules, () => this.#session.destroy());
    if (maxIdleMs !== Infinity) this.#idle = new IdleTimer(maxIdleMs, () => this.#session.close());
    if (maxAgeMs !== Infinity) this.#limitAge(maxAgeMs);
  }

  /** Requests that are not answered in full. */
  get streamCount(): number {
    return this.#session.streamCount;
  }

  /** Takes no further calls, and ends with the last one. */
  close(): void {
    this.#session.close();
  }

  /** Cuts off its calls. */
  cancel(): void {
    this.#session.cancel();
  }

  onStream(stream: Http2ServerStream, request: ReceivedRequest): ServerStreamListener {
    this.#calls += 1;
    if (this.#calls === 1) this.#idle?.begin();
    return this.#owner.accept(this, stream, request);
  }

  ended(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#idle?.rest();
  }

  onMisuse(_code: number, reason: string): void {
    this.#owner.onMisuse(this.info.remoteAddress, reason);
  }

  onClosed(): void {
    this.#keepAlive.stop();
    this.#idle?.stop();
    clearTimeout(this.#timer);
    this.#owner.onClosed(this);
  }

  #limitAge(ageMs: number): void {
    const jitter = (Math.random() * 2 - 1) * AGE_JITTER * ageMs;
    this.#timer = setTimeout(() => {
      this.#session.close();
      const { maxAgeGraceMs } = this.#owner.settings;
      if (maxAgeGraceMs === Infinity) return;
      this.#timer = setTimeout(() => this.cancel(), maxAgeGraceMs).unref();
    }, ageMs + jitter).unref();
  }
}

/** As grpc-js has it: the certificate of the other end, where it was asked for and verified. */
function authContextOf(socket: Socket): WireCarrier['authContext'] {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return {};
  const certificate = socket.getPeerCertificate();
  if (certificate.raw === undefined) return { transportSecurityType: 'ssl' };
  return { transportSecurityType: 'ssl', sslPeerCertificate: certificate };
}
