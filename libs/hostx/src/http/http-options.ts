import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import { type Clock, type Deadline, type Duration, Mistakes, systemClock } from '@apix/contracts';
import { mistakenIn } from '../errors.js';
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
   * How long to keep serving, with `Connection: close` on every response, after shutdown has begun. Must be
   * longer than load balancers take to notice: probe period × failure threshold. It is part of the shutdown
   * timeout and takes half of what is left of that at most. Skipped without a load balancer: at
   * `app.close()`, a SIGINT from a terminal and the restart of a watcher. Default: '5s', but 0 in
   * Development and Test.
   */
  readonly delay?: Duration;
  /** Whether the delay is never skipped, and 5 s where `delay` is unset. Default: false. */
  readonly always?: boolean;
  /**
   * How long upgraded connections may take to answer the close frame, and clients of HTTP/2 to close
   * their side of a connection whose session has ended. Default: '1s'.
   */
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
  /** Answers the requests. Either this or `server`. */
  readonly handler?: HttpHandler;
  /**
   * A server that exists already, such as `app.getHttpServer()` of a Nest app. It may be
   * listening already.
   */
  readonly server?: Server | Http2Server | Http2SecureServer;
  /**
   * Serves HTTPS, with these certificates; only with `handler`. Connections have one handshake: TLS 1.2
   * has no renegotiation. Default: plain HTTP.
   */
  readonly tls?: TlsServerOptions;
  /**
   * Serves HTTP/2 next to HTTP/1 on the same port: with `tls` where the client asks for it, without where
   * its connection begins with the preface of HTTP/2 (prior knowledge; `Upgrade: h2c` is not answered). The
   * handler gets Node's compatible request and response. Only with `handler`; a `server` of HTTP/2 is
   * served and drained as it is. Default: false.
   */
  readonly http2?: boolean;
  /** Requests under way that a connection of HTTP/2 may have. Default: 100. */
  readonly maxConcurrentStreams?: number;
  /** Bytes that the headers of a request may have; only with `handler`. Default: 16 KiB. */
  readonly maxHeaderSize?: number;
  readonly timeouts?: HttpTimeouts;
  readonly drain?: DrainOptions;
  /**
   * Which socket of systemd's socket activation to serve instead of `host` and `port`: its name, or false
   * for none. Default: the one named like the service, or else the only one passed.
   */
  readonly activation?: string | false;
  /** Called with the server before it listens, for settings without an option here. */
  readonly withServer?: (server: Server) => void;
  /**
   * Makes the server listen, for frameworks that do it themselves; may return without listening if the
   * signal aborts. Default: `server.listen(where)`.
   */
  readonly listen?: (server: Server, where: ListenTarget, signal: AbortSignal) => Promise<void>;
  /**
   * Awaited before upgraded connections are closed: until the messages received through them have been
   * answered, but not past the deadline. If it rejects, the stop fails, once everything is closed. Default:
   * nothing is awaited.
   */
  readonly beforeFarewell?: (deadline: Deadline) => Promise<void>;
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
  readonly http2: boolean;
  readonly maxConcurrentStreams: number;
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
  readonly beforeFarewell: ((deadline: Deadline) => Promise<void>) | undefined;
  readonly clock: Clock;
}

export interface ResolvedDrain {
  /** Undefined: the default of the host. */
  readonly delayMs: number | undefined;
  readonly always: boolean;
  readonly closeGraceMs: number;
  readonly timeoutMs: number;
}

/** @throws HostError that lists every mistake. */
export function resolveHttpOptions(options: HttpServiceOptions): ResolvedHttpOptions {
  const { name = 'http', server, handler, tls, maxHeaderSize, http2 = false } = options;
  const { maxConcurrentStreams = 100 } = options;
  const mistakes = new Mistakes();
  mistakes.text('name', name);
  if ((handler === undefined) === (server === undefined)) {
    mistakes.add('', 'set either handler or server');
  }
  if (server !== undefined && tls !== undefined) {
    mistakes.add(
      'tls',
      'cannot be combined with server; give the certificates to the server itself',
    );
  }
  if (server !== undefined && maxHeaderSize !== undefined) {
    mistakes.add('maxHeaderSize', 'cannot be combined with server; give it to the server itself');
  }
  if (server !== undefined && http2) {
    mistakes.add('http2', 'cannot be combined with server; make a server of node:http2 instead');
  }
  if (maxHeaderSize !== undefined) mistakes.count('maxHeaderSize', maxHeaderSize, { min: 1 });
  const resolved: ResolvedHttpOptions = {
    name,
    port: readPort('port', options.port ?? 0, mistakes),
    host: options.host,
    handler,
    server: server as Server | undefined,
    http2: mistakes.flag('http2', http2),
    maxConcurrentStreams: mistakes.count('maxConcurrentStreams', maxConcurrentStreams, { min: 1 }),
    tls,
    serverOptions: maxHeaderSize === undefined ? {} : { maxHeaderSize },
    timeouts: readTimeouts('timeouts', options.timeouts ?? {}, mistakes),
    drain: readDrain('drain', options.drain ?? {}, mistakes),
    activation: options.activation,
    withServer: options.withServer,
    listen: options.listen ?? listenDirectly,
    beforeFarewell: options.beforeFarewell,
    clock: options.clock ?? systemClock,
  };
  mistakes.throwIfAny(mistakenIn(`http service ${name}`));
  return resolved;
}

export function readPort(where: string, port: number, mistakes: Mistakes): number {
  return mistakes.count(where, port, { min: 0, max: 65_535 });
}

export function readTimeouts(
  where: string,
  { headers, request, keepAlive }: HttpTimeouts,
  mistakes: Mistakes,
): ResolvedHttpOptions['timeouts'] {
  const ms = (option: string, value: Duration | undefined): number | undefined =>
    value === undefined ? undefined : mistakes.duration(`${where}.${option}`, value);
  return {
    headers: ms('headers', headers),
    request: ms('request', request),
    keepAlive: ms('keepAlive', keepAlive),
  };
}

export function readDrain(where: string, drain: DrainOptions, mistakes: Mistakes): ResolvedDrain {
  const { delay, always = false, closeGrace = 1_000, timeout } = drain;
  return {
    delayMs: delay === undefined ? undefined : mistakes.duration(`${where}.delay`, delay),
    always: mistakes.flag(`${where}.always`, always),
    closeGraceMs: mistakes.duration(`${where}.closeGrace`, closeGrace),
    timeoutMs: timeout === undefined ? Infinity : mistakes.duration(`${where}.timeout`, timeout),
  };
}
