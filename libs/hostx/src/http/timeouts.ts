import type { Server } from 'node:http';
import type { ResolvedHttpOptions } from './http-options.js';

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
export function setTimeouts(server: Server, timeouts: ResolvedHttpOptions['timeouts']): void {
  server.headersTimeout = timeouts.headers ?? (server.headersTimeout || HEADERS_MS);
  server.requestTimeout = timeouts.request ?? (server.requestTimeout || REQUEST_MS);
  server.keepAliveTimeout =
    timeouts.keepAlive ??
    (server.keepAliveTimeout === NODE_KEEP_ALIVE_MS ? KEEP_ALIVE_MS : server.keepAliveTimeout);
}
