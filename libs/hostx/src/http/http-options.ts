import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import {
  type Clock,
  type Deadline,
  type Duration,
  type Mistakes,
  systemClock,
} from '@apix/contracts';
import {
  callable,
  checkedOptions,
  CLOCK,
  DURATION,
  filledSection,
  FLAG,
  foreignObject,
  objectWith,
  type OptionTable,
  orFalse,
  type ReadOptions,
  STRING,
  TEXT,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { DRAIN_DEFAULTS } from '../drain-delay.js';
import { mistakesIn } from '../errors.js';
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
   * `app.close()`, a SIGINT from a terminal and the restart of a watcher. Default: that of the host, or else
   * '5s', but 0 in Development and Test.
   */
  readonly delay?: Duration;
  /** Whether the delay is never skipped, and 5 s where `delay` is unset. Default: that of the host, or else false. */
  readonly always?: boolean;
  /**
   * How long upgraded connections may take to answer the close frame, and clients of HTTP/2 to close
   * their side of a connection whose session has ended. Default: that of the host, or else '1s'.
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

export const PORT = wholeNumber({ min: 0, max: 65_535 });

/** The allowed values of the timeouts, read as milliseconds. */
export const TIMEOUTS = {
  headers: DURATION,
  request: DURATION,
  keepAlive: DURATION,
} satisfies OptionTable<HttpTimeouts>;

/** The allowed values of how to drain, read as milliseconds. */
export const DRAIN = {
  // Unset: the default of the host.
  ...DRAIN_DEFAULTS,
  timeout: withDefault(DURATION, Infinity),
} satisfies OptionTable<DrainOptions>;

type Listen = NonNullable<HttpServiceOptions['listen']>;

/** The allowed values of the options that a server of the service's own and one of Nest have. */
export const LISTENING = {
  host: STRING,
  timeouts: filledSection(TIMEOUTS),
  activation: orFalse(STRING),
  withServer: callable<(server: Server) => void>(),
};

const HTTP_OPTIONS = {
  ...LISTENING,
  name: withDefault(TEXT, 'http'),
  port: withDefault(PORT, 0),
  handler: callable<HttpHandler>(),
  server: objectWith<Server>('a server of node:http, node:https or node:http2', 'on', 'listen'),
  tls: foreignObject<TlsServerOptions>(),
  http2: withDefault(FLAG, false),
  maxConcurrentStreams: withDefault(wholeNumber({ min: 1 }), 100),
  maxHeaderSize: wholeNumber({ min: 1 }),
  drain: filledSection(DRAIN),
  listen: withDefault(callable<Listen>(), listenDirectly),
  beforeFarewell: callable<(deadline: Deadline) => Promise<void>>(),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<HttpServiceOptions>;

/** The options, read, with every default; times in milliseconds. */
export type ResolvedHttpOptions = ReadOptions<typeof HTTP_OPTIONS>;

/** @throws HostError that lists every mistake. */
export function resolveHttpOptions(options: HttpServiceOptions): ResolvedHttpOptions {
  const { name = 'http' } = options;
  return checkedOptions(HTTP_OPTIONS, options, mistakesIn(`http service ${name}`), (_, mistakes) =>
    refuseCombinations(options, mistakes),
  );
}

function refuseCombinations(
  { handler, server, tls, maxHeaderSize, http2 }: HttpServiceOptions,
  mistakes: Mistakes,
): void {
  if ((handler === undefined) === (server === undefined)) {
    mistakes.add('', 'set either handler or server');
  }
  if (server === undefined) return;
  const withServer = (name: string, remedy: string): void =>
    mistakes.add(name, `cannot be combined with server; ${remedy}`);
  if (tls !== undefined) withServer('tls', 'give the certificates to the server itself');
  if (maxHeaderSize !== undefined) withServer('maxHeaderSize', 'give it to the server itself');
  if (http2) withServer('http2', 'make a server of node:http2 instead');
}
