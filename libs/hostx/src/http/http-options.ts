import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import { type Clock, type Duration, parseDuration, systemClock, thrownText } from '@apix/contracts';
import { DEFAULT_DRAIN_DELAY } from '../drain-delay.js';
import { HostError } from '../errors.js';
import { type ListenTarget, listenDirectly } from './listen.js';

/** Any Node request handler: an Express or Connect app, `fastify.routing`, a plain function. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpTimeouts {
  /** From the first byte of a request, or from the connection, to its last header. Default: '60s'. */
  readonly headers?: Duration;
  /** From the first byte of a request to the last of its body. Default: '5m'. */
  readonly request?: Duration;
  /**
   * How long an idle connection is kept. Longer than the idle time of the load balancers in
   * front (60 s for most), or they send requests into connections that are just being closed.
   * Default: '75s'.
   */
  readonly keepAlive?: Duration;
}

export interface DrainOptions {
  /**
   * How long to go on serving, with `Connection: close` on every response, after shutdown has
   * begun. Longer than load balancers take to notice: probe period × failure threshold. It is
   * part of the shutdown timeout and takes half of what is left of that at most. Default: '5s'.
   */
  readonly delay?: Duration;
  /** How long upgraded connections may take to answer the close frame. Default: '1s'. */
  readonly closeGrace?: Duration;
  /** Caps the whole drain, so that services after this one keep some time. Default: the deadline. */
  readonly timeout?: Duration;
}

export interface HttpServiceOptions {
  /** Unique in the host. Default: 'http'. */
  readonly name?: string;
  /** 0 has the system pick a free one. Default: 0. */
  readonly port?: number;
  /** Address or host name to listen on. Default: every address of the machine. */
  readonly host?: string;
  /** What answers requests. Either this or `server`. */
  readonly handler?: HttpHandler;
  /**
   * A server that exists already, such as `app.getHttpServer()` of a Nest app. It may be
   * listening already.
   */
  readonly server?: Server;
  /** Serves HTTPS, with these certificates; only with `handler`. Default: plain HTTP. */
  readonly tls?: TlsServerOptions;
  /** Bytes that the headers of a request may have; only with `handler`. Default: 16 KiB. */
  readonly maxHeaderSize?: number;
  readonly timeouts?: HttpTimeouts;
  readonly drain?: DrainOptions;
  /**
   * Which socket of systemd's socket activation to serve instead of `host` and `port`: its name,
   * or false for none. Default: the one named like the service, or else the only one passed.
   */
  readonly activation?: string | false;
  /** Gets the server before it listens, for everything that has no option here. */
  readonly withServer?: (server: Server) => void;
  /**
   * Has the server listen, for frameworks that want to do it; may come back without where the
   * signal aborts. Default: `server.listen(where)`.
   */
  readonly listen?: (server: Server, where: ListenTarget, signal: AbortSignal) => Promise<void>;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Checked and filled options; times in milliseconds. */
export interface ResolvedHttpOptions {
  readonly name: string;
  readonly port: number;
  readonly host: string | undefined;
  readonly handler: HttpHandler | undefined;
  readonly server: Server | undefined;
  readonly tls: TlsServerOptions | undefined;
  readonly serverOptions: ServerOptions;
  readonly timeouts: {
    readonly headers: number | undefined;
    readonly request: number | undefined;
    readonly keepAlive: number | undefined;
  };
  readonly drain: ResolvedDrain;
  readonly activation: string | false | undefined;
  readonly withServer: ((server: Server) => void) | undefined;
  readonly listen: (server: Server, where: ListenTarget, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
}

export interface ResolvedDrain {
  readonly delayMs: number;
  readonly closeGraceMs: number;
  readonly timeoutMs: number;
}

/** @throws HostError that lists every mistake. */
export function resolveHttpOptions(options: HttpServiceOptions): ResolvedHttpOptions {
  const name = options.name ?? 'http';
  const mistakes: string[] = [];
  const duration = (where: string, value: Duration | undefined): number | undefined => {
    if (value === undefined) return undefined;
    try {
      return parseDuration(value);
    } catch (error) {
      mistakes.push(`${where}: ${thrownText(error)}`);
      return undefined;
    }
  };
  const { port = 0, timeouts = {}, drain = {}, maxHeaderSize } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    mistakes.push(`port: ${String(port)} is none; write an integer from 0 to 65535`);
  }
  if ((options.handler === undefined) === (options.server === undefined)) {
    mistakes.push('give either handler or server');
  }
  if (options.server !== undefined && options.tls !== undefined) {
    mistakes.push('tls: make the server with its certificates where it is created');
  }
  if (options.server !== undefined && maxHeaderSize !== undefined) {
    mistakes.push('maxHeaderSize: set it where the server is created');
  }
  if (maxHeaderSize !== undefined && !(Number.isInteger(maxHeaderSize) && maxHeaderSize > 0)) {
    mistakes.push(`maxHeaderSize: ${maxHeaderSize} is no positive number of bytes`);
  }
  const resolved: ResolvedHttpOptions = {
    name,
    port,
    host: options.host,
    handler: options.handler,
    server: options.server,
    tls: options.tls,
    serverOptions: maxHeaderSize === undefined ? {} : { maxHeaderSize },
    timeouts: {
      headers: duration('timeouts.headers', timeouts.headers),
      request: duration('timeouts.request', timeouts.request),
      keepAlive: duration('timeouts.keepAlive', timeouts.keepAlive),
    },
    drain: {
      delayMs: duration('drain.delay', drain.delay) ?? DEFAULT_DRAIN_DELAY,
      closeGraceMs: duration('drain.closeGrace', drain.closeGrace) ?? 1_000,
      timeoutMs: duration('drain.timeout', drain.timeout) ?? Infinity,
    },
    activation: options.activation,
    withServer: options.withServer,
    listen: options.listen ?? listenDirectly,
    clock: options.clock ?? systemClock,
  };
  if (mistakes.length > 0) {
    throw new HostError(`hostx: http service ${name}: ${mistakes.join('; ')}`);
  }
  return resolved;
}
