import { writePart } from '@apix/contracts';
import { leaveRequest } from '@apix/contracts/internal';
import type { RequestListener, Server } from 'node:http';
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import type { ResolvedHttpOptions } from './http-options.js';
import { splitProtocols } from './protocol-split.js';
import { limitSessions } from './session-limits.js';

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

type Done = (error: Error) => void;

/**
 * Node's response of HTTP/2, for handlers of others. It leaves out empty parts: one at the end of what a turn writes
 * would make Node send freed memory in place of the parts before it.
 */
// Why: docs/decisions/0182
function soundResponse(): typeof Http2ServerResponse {
  const { Http2ServerResponse: Response } = process.getBuiltinModule('node:http2');
  return class SoundResponse<Request extends Http2ServerRequest> extends Response<Request> {
    override write(chunk: string | Uint8Array, done?: Done): boolean;
    override write(chunk: string | Uint8Array, encoding: BufferEncoding, done?: Done): boolean;
    override write(
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | Done,
      done?: Done,
    ): boolean {
      const written = typeof encoding === 'function' ? encoding : done;
      if (chunk.length > 0 || this.writableEnded) {
        return super.write(chunk, typeof encoding === 'string' ? encoding : 'utf8', written);
      }
      if (written !== undefined) process.nextTick(written);
      return writePart(this, chunk);
    }
  };
}

const HEADERS_MS = 60_000;
const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 75_000;

/** Node's defaults. */
const NODE_KEEP_ALIVE_MS = 5_000;

/**
 * Sets a server's timeouts. If an option is left out, a value that was set elsewhere stays; only unsuitable
 * ones are replaced: no limit at all (Fastify's requestTimeout), and Node's keep-alive of 5 s, which is
 * shorter than the idle time of common load balancers.
 */
function setTimeouts(server: Server, timeouts: ResolvedHttpOptions['timeouts']): void {
  server.headersTimeout = timeouts.headers ?? (server.headersTimeout || HEADERS_MS);
  server.requestTimeout = timeouts.request ?? (server.requestTimeout || REQUEST_MS);
  server.keepAliveTimeout =
    timeouts.keepAlive ??
    (server.keepAliveTimeout === NODE_KEEP_ALIVE_MS ? KEEP_ALIVE_MS : server.keepAliveTimeout);
}
