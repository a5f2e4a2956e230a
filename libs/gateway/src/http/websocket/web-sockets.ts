import type { IncomingMessage } from 'node:http';
import { type Duration, parseDuration } from '@apix/contracts';
import { WebSocketServer } from 'ws';
import type { CallHead, Upstream } from '../../upstream/upstream.js';
import type { Answers } from '../answer.js';
import type { UpgradeRequest, WebSocketDoor, WebSocketSupport } from '../websocket-door.js';
import {
  type AllowedOrigins,
  BEARER,
  assertHandshake,
  assertOrigin,
  bearerOf,
} from './handshake.js';
import { WebSocketCall } from './web-socket-call.js';

export interface WebSocketOptions {
  /** Which web pages may connect; what is no browser always may. Default: `same`. */
  readonly origins?: AllowedOrigins;
  /** The largest message, in bytes. Default: the gateway's `maxBodyBytes`. */
  readonly maxMessageBytes?: number;
  /**
   * How long the handshake waits for the server to deny the call, so that a denial is an HTTP
   * status and not a closed WebSocket. It waits no longer than for the server's first word, which
   * `@apix/grpc` says at once. Default: `100ms`.
   */
  readonly admission?: Duration;
}

/** How long clients have to answer a 1001 when the app closes, in milliseconds. */
const FAREWELL_MS = 1_000;

/**
 * Serves methods with a stream of requests over WebSockets, by way of `ws`, which has to be
 * installed: `GatewayModule.forRoot({ webSockets: webSockets() })`. Each text frame is one
 * message as JSON; an empty frame ends the requests; the status comes last.
 */
export function webSockets(options: WebSocketOptions = {}): WebSocketSupport {
  const admissionMs = parseDuration(options.admission ?? '100ms');
  return (answers) => new WsDoor(answers, options, admissionMs);
}

class WsDoor implements WebSocketDoor {
  private readonly server: WebSocketServer;
  private readonly calls = new Set<WebSocketCall>();

  constructor(
    private readonly answers: Answers,
    private readonly options: WebSocketOptions,
    private readonly admissionMs: number,
  ) {
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: options.maxMessageBytes ?? answers.options.maxBodyBytes,
      handleProtocols: (offered) => (offered.has(BEARER) ? BEARER : false),
    });
  }

  admit(req: IncomingMessage): string | undefined {
    assertHandshake(req);
    assertOrigin(req, this.options.origins ?? 'same');
    return bearerOf(req);
  }

  carry(request: UpgradeRequest, head: CallHead, upstream: Upstream): void {
    const { answers, admissionMs, server, calls } = this;
    const carried = new WebSocketCall(request, answers, server);
    calls.add(carried);
    request.socket.once('close', () => calls.delete(carried));
    carried.start(upstream, head, admissionMs);
  }

  async close(): Promise<void> {
    const sockets = [...this.calls].map((call) => call.leave());
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, FAREWELL_MS);
    const open = sockets.filter((socket) => !socket.closed);
    await Promise.all(open.map((socket) => new Promise((gone) => socket.once('close', gone))));
    clearTimeout(timer);
  }
}
