import type { IncomingHttpHeaders } from 'node:http';
import { type Ending, requestHead } from '../request/request.js';
import type { HandshakeCaller } from './handshake-call.js';
import { upgradeRequestOf } from './patches/client-connect.js';

/** The part of a WebSocket client that is used: of `ws`, or of Socket.IO. */
interface SocketClient extends Partial<Ending> {
  /** Socket.IO's: the request of the handshake. */
  readonly request?: unknown;
  readonly handshake?: {
    readonly headers?: IncomingHttpHeaders;
    readonly auth?: Readonly<Record<string, unknown>>;
  };
}

/**
 * The caller that opened the WebSocket of a message. A client of Socket.IO has its handshake; a client of
 * `ws` does not, but `bindClientConnect` of its adapter has got the request. Nothing is known of clients of
 * another kind: their caller is anonymous.
 */
export function socketCaller(value: unknown): HandshakeCaller {
  if (typeof value !== 'object' || value === null) return {};
  const client = value as SocketClient;
  const { handshake } = client;
  return {
    head: requestHead(client.request) ?? requestHead(upgradeRequestOf(client)),
    headers: handshake?.headers,
    params: connectionParamsOf(handshake?.auth),
    ending: isEnding(client)
      ? [client, handshake === undefined ? 'close' : 'disconnect']
      : undefined,
  };
}

/** Socket.IO has an empty object where the client said nothing. */
function connectionParamsOf(auth: HandshakeCaller['params']): HandshakeCaller['params'] {
  const isSaid = typeof auth === 'object' && auth !== null && Object.keys(auth).length > 0;
  return isSaid ? auth : undefined;
}

function isEnding(client: SocketClient): client is SocketClient & Ending {
  return typeof client.once === 'function';
}
