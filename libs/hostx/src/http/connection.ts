import { type AnyResponse, endResponse } from '@apix/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { HostError } from '../errors.js';
import { LastResponse } from './last-response.js';

/** RFC 6455, section 7.4.1: the endpoint is going away. */
export const GOING_AWAY = 1001;

/** Registered with IANA: the service restarts, and the client may connect again at once. */
export const SERVICE_RESTART = 1012;

/**
 * The protocol of a connection; `handshake` until TLS has been agreed on, `upgraded` for WebSockets and the
 * like.
 */
export type Protocol = 'http/1.1' | 'http/2' | 'upgraded' | 'handshake';

/** The state of one connection for a drain. */
export class Connection {
  readonly #socket: Socket;
  /** Responses that have not been sent whole; several where requests are pipelined. */
  readonly #open = new Set<AnyResponse>();
  readonly #last = new WeakMap<ServerResponse, LastResponse>();
  #upgrade: { readonly protocol: string; readonly bytesBefore: number } | null = null;
  #session: ServerHttp2Session | null = null;
  #toldToGo = false;
  #handshake: 'none' | 'under way' | 'over';
  #wasUnanswered = false;

  /** @param isRaw Whether TLS has yet to be agreed on; the encrypted connection is another one then. */
  constructor(socket: Socket, isRaw = false) {
    this.#socket = socket;
    this.#handshake = isRaw ? 'under way' : 'none';
  }

  /** TLS has been agreed on. */
  secured(): void {
    this.#handshake = 'over';
  }

  begin(response: AnyResponse, whenSent: () => void): void {
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      whenSent();
    });
  }

  /** It speaks HTTP/2. */
  carries(session: ServerHttp2Session): void {
    this.#session = session;
  }

  upgradedBy(request: IncomingMessage): void {
    this.#upgrade = {
      protocol: (request.headers.upgrade ?? '').toLowerCase(),
      bytesBefore: this.#socket.bytesWritten,
    };
  }

  get open(): ReadonlySet<AnyResponse> {
    return this.#open;
  }

  /** Whether the client of a WebSocket has been told to go. */
  get isToldToGo(): boolean {
    return this.#toldToGo;
  }

  get isUpgraded(): boolean {
    return this.#upgrade !== null;
  }

  /** Null: it only carries the encrypted one, which has its own. */
  get protocol(): Protocol | null {
    if (this.#handshake === 'over') return null;
    if (this.#handshake === 'under way') return 'handshake';
    if (this.#session !== null) return 'http/2';
    return this.isUpgraded ? 'upgraded' : 'http/1.1';
  }

  /** Whether nothing has ever come in on it but the beginning of a handshake. */
  get isSilent(): boolean {
    if (this.#session !== null || this.#handshake === 'over') return false;
    if (this.#handshake === 'under way') return true;
    return this.#upgrade === null && this.#open.size === 0 && this.#socket.bytesRead === 0;
  }

  /** Whether a response is complete but has not left the process. */
  get isFlushing(): boolean {
    for (const response of this.#open) if (response.writableEnded) return true;
    return false;
  }

  /**
   * Adds `Connection: close` to the newest response. Earlier ones must not have it, or Node would close the
   * connection before the pipelined ones are answered. HTTP/2 has no such header: {@link askToClose} ends
   * its connections.
   */
  refuseRequests(): void {
    if (this.#session !== null) return;
    const open = [...this.#open] as ServerResponse[];
    const newest = open.at(-1);
    for (const response of open) {
      const last = this.#last.get(response);
      if (response !== newest) last?.takeBack();
      else if (last === undefined) this.#last.set(response, new LastResponse(response));
      else last.renew();
    }
  }

  /** Ends event streams, sends a close frame with the code to a WebSocket and GOAWAY to HTTP/2, each once. */
  askToClose(code: number): void {
    for (const response of this.#open) {
      if (!response.writableEnded && isEventStream(response)) endEvents(response);
    }
    if (this.#session !== null) {
      // Why: docs/decisions/0262
      if (!this.#session.closed) this.#session.close();
      return;
    }
    const { bytesWritten, writable } = this.#socket;
    // Before the handshake has been answered there is no WebSocket yet.
    if (this.#upgrade?.protocol !== 'websocket' || bytesWritten === this.#upgrade.bytesBefore) {
      return;
    }
    // Why: docs/decisions/0055
    if (!this.#toldToGo && writable) this.#socket.write(closeFrame(code));
    this.#toldToGo = true;
  }

  /**
   * Whether its session of HTTP/2 has ended, all has been sent, and the client had not closed its side
   * when this was last asked either. Node waits for that without end.
   */
  staysUnanswered(): boolean {
    const isUnanswered = this.#session?.destroyed === true && this.#socket.writableFinished;
    const stays = isUnanswered && this.#wasUnanswered;
    this.#wasUnanswered = isUnanswered;
    return stays;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

type Done = (error: Error) => void;

const CLOSE_OPCODE = 0x88;
const EVENT_STREAM = 'text/event-stream';
const EVENT_STREAM_LINE = /^content-type:\s*text\/event-stream/im;

/** A WebSocket close frame of a server: unmasked, with a status code and no reason. */
function closeFrame(code: number): Buffer {
  return Buffer.from([CLOSE_OPCODE, 2, code >> 8, code & 0xff]);
}

/** Whether a response under way is one of server-sent events. */
function isEventStream(response: AnyResponse): boolean {
  if (!response.headersSent) return false;
  const type = response.getHeader('content-type');
  if (type !== undefined) return String(type).toLowerCase().startsWith(EVENT_STREAM);
  // Headers that were passed only to writeHead are found only in the sent text.
  const { _header: sent } = response as AnyResponse & { readonly _header?: unknown };
  return typeof sent === 'string' && EVENT_STREAM_LINE.test(sent);
}

/**
 * Ends a stream of events; the client reconnects by itself and ignores an event that was sent only in part
 * (WHATWG HTML, server-sent events).
 */
function endEvents(response: AnyResponse): void {
  // Its handler may write again before it notices; that must not become an uncaught error.
  response.on('error', () => {});
  endResponse(response);
  // Nor may it reset the stream, which is what Node does over HTTP/2.
  if ('stream' in response) response.write = writeAfterEnd;
}

function writeAfterEnd(_: unknown, ...rest: readonly unknown[]): boolean {
  const done = rest.find((each) => typeof each === 'function') as Done | undefined;
  if (done === undefined) return false;
  const error = new HostError('hostx: the event stream has ended');
  process.nextTick(done, Object.assign(error, { code: 'ERR_STREAM_WRITE_AFTER_END' }));
  return false;
}
