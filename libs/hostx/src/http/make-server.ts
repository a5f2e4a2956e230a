import type { RequestListener, Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { leaveRequest } from '@apix/contracts';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import type { ResolvedHttpOptions } from './http-options.js';
import { splitProtocols } from './protocol-split.js';
import { limitSessions } from './session-limits.js';
import { soundResponse } from './sound-response.js';
import { setTimeouts } from './timeouts.js';

/** Node's default limit for the headers of HTTP/1. */
const MAX_HEADER_SIZE = 16_384;

/** The servers of one port. */
export interface MadeServer {
  /** The server that listens and serves HTTP/1. */
  readonly server: Server;
  /** Serves its HTTP/2 connections; null if there are none, or if it serves them itself. */
  readonly http2: Http2Server | null;
}

/** The server of a service, with its timeouts; not listening yet, unless it was given so. */
export function makeServer(options: ResolvedHttpOptions): MadeServer {
  const { server: given, handler, timeouts, withServer } = options;
  const server = given ?? http1Server(options, (...exchange) => void handler!(...exchange));
  setTimeouts(server, timeouts);
  // Before other code adds listeners: the present ones serve HTTP/1. Why: docs/decisions/0262
  const http2 = options.http2 ? http2Server(options, server) : null;
  withServer?.(server);
  return { server, http2 };
}

function http1Server({ tls, http2, maxHeaderSize }: ResolvedHttpOptions, answer: RequestListener) {
  const serverOptions = maxHeaderSize === undefined ? {} : { maxHeaderSize };
  if (tls === undefined) {
    return process.getBuiltinModule('node:http').createServer(serverOptions, answer);
  }
  const protocols = http2 ? { ALPNProtocols: ['h2', 'http/1.1'] } : {};
  const secureOptions = secureOptionsOf(tls);
  const { createServer } = process.getBuiltinModule('node:https');
  return createServer({ ...tls, ...protocols, ...serverOptions, secureOptions }, answer);
}

function http2Server(options: ResolvedHttpOptions, server: Server): Http2Server {
  const { handler, tls, clock, maxConcurrentStreams, maxHeaderSize } = options;
  const settings = {
    maxConcurrentStreams,
    maxHeaderListSize: maxHeaderSize ?? MAX_HEADER_SIZE,
  };
  const { createServer } = process.getBuiltinModule('node:http2');
  const Http2ServerResponse = soundResponse();
  const http2 = createServer({ settings, Http2ServerResponse }, (request, response) => {
    const { stream } = response;
    stream.once('finish', () => {
      // A handler that reads goes on reading.
      if (stream.readableFlowing === null) leaveRequest(response);
    });
    // Node's compatible objects have what those of HTTP/1 have, but for what HTTP/2 does not know.
    void handler!(...([request, response] as unknown as Parameters<RequestListener>));
  });
  const { headersTimeout: headers, requestTimeout: request, keepAliveTimeout: keepAlive } = server;
  limitSessions(http2, { headers, request, keepAlive }, clock);
  splitProtocols(server, http2, { isTls: tls !== undefined, silentMs: headers, clock });
  return http2;
}

/** A second handshake of TLS 1.2 could bring an unverified certificate. */
function secureOptionsOf({ secureOptions = 0 }: TlsServerOptions): number {
  const { constants } = process.getBuiltinModule('node:crypto');
  return secureOptions | constants.SSL_OP_NO_RENEGOTIATION;
}
