import type { IncomingMessage } from 'node:http';
import { Code, type Duration, Mistakes } from '@apix/contracts';
import {
  DURATION,
  type OptionTable,
  type ReadOptions,
  readOptions,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { GatewayConfigError, badRequest, refusal } from '../../errors.js';
import { WebSocketServer } from '../../npm-install/ws.js';
import type { UpstreamHead, Upstream } from '../../upstream/upstream.js';
import { ORIGINS } from '../../options.js';
import { type AllowedOrigins, assertOrigin } from '../../request/origins.js';
import type { Answers } from '../answer.js';
import type { BodyBudget } from '../body-budget.js';
import type {
  Mistake,
  UpgradeRequest,
  WebSocketDoor,
  WebSocketSupport,
} from '../websocket-door.js';
import { WebSocketCall } from './web-socket-call.js';

export interface WebSocketOptions {
  /** Which web pages may connect; clients other than browsers always may. Default: `same`. */
  readonly origins?: AllowedOrigins;
  /** The largest message, in bytes. Default: the gateway's `maxBodyBytes`. */
  readonly maxMessageBytes?: number;
  /**
   * How long the handshake waits for the server to deny the call, so that a denial is an HTTP
   * status and not a closed WebSocket. It waits no longer than for the first message, and until
   * 20 ms after the headers. Default: `100ms`.
   */
  readonly admission?: Duration;
}

const WEB_SOCKET_OPTIONS = {
  origins: withDefault(ORIGINS, 'same'),
  maxMessageBytes: wholeNumber({ min: 1 }),
  admission: withDefault(DURATION, 100),
} satisfies OptionTable<WebSocketOptions>;

/**
 * A message in more frames, or in more pieces of TCP, closes the WebSocket with 1008: each piece takes up
 * memory, however short it is.
 */
const MAX_FRAGMENTS = 1_024;
const MAX_CHUNKS = 16 * 1_024;

/** Sixteen bytes in base64 (RFC 6455 §4.2.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** An entry of a list of subprotocols: a token (RFC 9110 §5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The subprotocol that announces a token after it, for browsers, which can set no headers. */
const BEARER = 'bearer';

/** How long clients have to answer a 1001 when the app closes, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Serves methods with a stream of requests over WebSockets, with `ws`, which must be installed:
 * `GatewayModule.forRoot({ webSockets: webSockets() })`. Each text frame is one message as JSON; an empty
 * text frame ends the requests; the status comes last.
 *
 * @throws GatewayConfigError that lists the mistakes in the options.
 */
export function webSockets(options: WebSocketOptions = {}): WebSocketSupport {
  const mistakes = new Mistakes();
  const read = readOptions(WEB_SOCKET_OPTIONS, options, 'webSockets', mistakes);
  mistakes.throwIfAny((found) => new GatewayConfigError(found));
  return (answers, budget) => new WsDoor(answers, budget, read);
}

class WsDoor implements WebSocketDoor {
  private readonly server: WebSocketServer;
  private readonly calls = new Set<WebSocketCall>();

  constructor(
    private readonly answers: Answers,
    private readonly budget: BodyBudget,
    private readonly options: ReadOptions<typeof WEB_SOCKET_OPTIONS>,
  ) {
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      autoPong: false,
      maxFragments: MAX_FRAGMENTS,
      maxBufferedChunks: MAX_CHUNKS,
      maxPayload: options.maxMessageBytes ?? answers.options.maxBodyBytes,
      handleProtocols: (offered) => (offered.has(BEARER) ? BEARER : false),
    });
  }

  admit(req: IncomingMessage): string | undefined {
    assertHandshake(req);
    assertOrigin(req, this.options.origins, (whose) => `pages of ${whose} may not connect`);
    return bearerOf(req);
  }

  carry(
    request: UpgradeRequest,
    head: UpstreamHead,
    upstream: Upstream,
    mistake: Mistake | undefined,
  ): void {
    const { answers, budget, server, calls } = this;
    const carried = new WebSocketCall(request, answers, { server, budget, mistake });
    // First, because an upstream that throws leaves no call that could be ended.
    carried.start(upstream, head, this.options.admission);
    calls.add(carried);
    request.socket.once('close', () => calls.delete(carried));
  }

  async close(): Promise<void> {
    const sockets = [...this.calls].map((call) => call.leave());
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_TIMEOUT_MS);
    const open = sockets.filter((socket) => !socket.closed);
    await Promise.all(open.map((socket) => new Promise((gone) => socket.once('close', gone))));
    clearTimeout(timer);
  }
}

/** @throws HttpRefusal, 400 or 426, for a request that is not a handshake of RFC 6455. */
function assertHandshake(req: IncomingMessage): void {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = req.headers;
  if (req.method !== 'GET') throw badRequest('a WebSocket handshake must be a GET request');
  if (version !== '13') {
    const headers = { upgrade: 'websocket', 'sec-websocket-version': '13' };
    const message = 'WebSocket version: only 13 is supported';
    throw refusal(Code.INVALID_ARGUMENT, message, { httpStatus: 426, headers });
  }
  if (key === undefined || !KEY.test(key)) {
    throw badRequest('header Sec-WebSocket-Key must be sixteen bytes in base64');
  }
}

/**
 * The `Authorization` from `Sec-WebSocket-Protocol: bearer, <token>`; undefined without it.
 *
 * @throws HttpRefusal, 401, for a token that is missing, malformed or a second one.
 */
function bearerOf({ headers }: IncomingMessage): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((it) => it.trim()) ?? [];
  const at = offered.indexOf(BEARER);
  if (at === -1) return undefined;
  const token = offered[at + 1];
  if (token === undefined || !TOKEN.test(token)) {
    throw refusal(Code.UNAUTHENTICATED, 'the subprotocol "bearer" must be followed by a token');
  }
  if (headers.authorization !== undefined) {
    const message = 'a token is given both in Authorization and as a subprotocol';
    throw refusal(Code.UNAUTHENTICATED, message);
  }
  return `Bearer ${token}`;
}
