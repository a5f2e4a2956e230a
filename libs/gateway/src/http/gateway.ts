import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Code, Mistakes } from '@apix/contracts';
import { type ReachedHandler, noteHandler, targetOf } from '@apix/contracts/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { Metadata } from '@grpc/grpc-js';
import type { DescMethod } from '@bufbuild/protobuf';
import { GatewayConfigError, HttpRefusal, refusal } from '../errors.js';
import { requestMetadata } from '../metadata/request-metadata.js';
import { announcesBody } from '../request/read-message.js';
import { RpcRequest } from './protocols/protocol.js';
import { RpcRoutes, readServed } from './protocols/rpc-routes.js';
import { type Binding, takesRequestStream } from '../rules/binding.js';
import type { ResolvedTranscoding } from '../options.js';
import { RouteTable } from '../template/route-table.js';
import type { Upstream } from '../upstream/upstream.js';
import { RoutedRequest } from './answer.js';
import { Exchange, type ExchangeCounts } from './exchange.js';
import {
  type FoundBefore,
  type GatewayOptions,
  type Middleware,
  type Next,
  type RequestHandler,
  protocolsIn,
  resolveGatewayOptions,
} from './gateway-options.js';
import { GatewayRoutes, type MountPoint, type OuterPrefix } from './mount-point.js';
import { send, setHeaders } from './send.js';
import { type Takeover, responseOn, takeUpgrades } from './upgrades.js';

/** Serves the HTTP rules of a registry's services by calling them on an upstream. */
export class Gateway {
  /** Every HTTP method and path that is served. */
  readonly bindings: readonly Binding[];
  /** What the gateway speaks. */
  readonly protocols: ReadonlySet<string>;
  private readonly rpcs: RpcRoutes;
  private readonly routes: GatewayRoutes;
  /** Of the bindings with a stream of requests; a handshake is a GET whatever their method. */
  private readonly streams = new RouteTable<Binding>();
  private readonly takesWebSockets: boolean;
  private readonly exchange: Exchange;
  private readonly transcoding: ResolvedTranscoding;
  private readonly mountPoint: MountPoint;
  private readonly middleware: readonly Middleware[];
  private readonly reached = new Map<Binding, ReachedHandler>();

  /**
   * @param upstream where the calls go; a function is called for each call, so that a server may be chosen
   *   after the gateway was built.
   * @param before what was found before, to be reported together. Default: nothing.
   * @throws GatewayConfigError that lists the mistakes in the rules and the options.
   */
  constructor(
    registry: ProtoRegistry,
    upstream: Upstream | (() => Upstream),
    options: GatewayOptions = {},
    before: FoundBefore = {},
  ) {
    const { mistakes = new Mistakes(), more, mayBeEmpty = false } = before;
    const protocols = protocolsIn(options);
    const { bindings, table, methods } = readServed(
      registry.services,
      { ...options, mayBeEmpty },
      protocols.names,
      mistakes,
    );
    const { transcoding, mountPoint, middleware } = resolveGatewayOptions(options, mistakes, more);
    this.transcoding = transcoding;
    this.mountPoint = mountPoint;
    this.middleware = middleware;
    mistakes.throwIfAny((found) => new GatewayConfigError(found));
    this.rpcs = new RpcRoutes(methods, (name) => mountPoint.prefixOfMethod(name));
    this.protocols = protocols.names;
    this.bindings = bindings;
    this.routes = new GatewayRoutes(mountPoint, table, this.rpcs);
    const streams = bindings.filter(takesRequestStream);
    // If two bindings differ only in their HTTP method, the first one takes the WebSockets.
    for (const binding of streams) this.streams.add('GET', binding.template, binding);
    this.takesWebSockets = options.webSockets !== undefined && streams.length > 0;
    const upstreamOf = typeof upstream === 'function' ? upstream : () => upstream;
    this.exchange = new Exchange(upstreamOf, registry.registry, transcoding, {
      protocols,
      webSockets: options.webSockets,
    });
  }

  /**
   * Checks options before there are descriptors; rules can only be checked with them.
   *
   * @throws GatewayConfigError that lists what is wrong with the options.
   */
  static checkOptions(options: GatewayOptions): void {
    const mistakes = new Mistakes();
    resolveGatewayOptions(options, mistakes);
    mistakes.throwIfAny((found) => new GatewayConfigError(found));
  }

  /**
   * Serves a request. With `next`, what no rule serves is handed on, untouched; without it, or
   * below a mount path other than `/`, the gateway itself answers 404, and 405 with `Allow`.
   */
  readonly handle: RequestHandler = (req, res, next) => {
    const { path, query, own, rpc: route, found } = this.routes.askedBy(req);
    if (own !== undefined) return own(req, res);
    if (route !== undefined) {
      noteHandler(req, route.reachedBy(undefined));
      const { method } = route;
      const request = new RpcRequest(req, res, method, query);
      this.through(req, res, 0, () => this.exchange.serveRpc(request, route));
      return;
    }
    const elsewhere = found?.isOwn === true ? undefined : next;
    const match = found?.match;
    if (match === undefined && elsewhere !== undefined) {
      elsewhere();
      return;
    }
    if (match?.kind === 'route') noteHandler(req, this.reachedBy(match.route));
    // Around refusals too: without the middleware's CORS headers, a page could not read them.
    this.through(req, res, 0, () => {
      if (match === undefined) {
        this.refuse(res, refusal(Code.NOT_FOUND, `nothing is served at ${path.slice(0, 200)}`));
      } else if (match.kind === 'route') {
        const { route: binding, segments } = match;
        this.exchange.serve(new RoutedRequest(req, res, binding, segments, query));
      } else if (elsewhere === undefined) this.refuseMethod(req, res, match.allowed);
      else elsewhere();
    });
  };

  /** Whether {@link handle} answers a request itself, rather than hand it on. */
  takes(req: IncomingMessage): boolean {
    const { own, rpc, found } = this.routes.askedBy(req);
    return (own ?? rpc) !== undefined || found?.isOwn === true || found?.match?.kind === 'route';
  }

  /** Whether {@link handle} runs the option `middleware` for a request, and then hands it on. */
  passes(req: IncomingMessage): boolean {
    if (this.middleware.length === 0) return false;
    const { found } = this.routes.askedBy(req);
    return found?.isOwn === false && found.match?.kind === 'other-methods';
  }

  /** The path before the rules' own paths, without a slash at its end. */
  get prefix(): string {
    return this.mountPoint.prefix;
  }

  /** The methods that are served by their names, by other protocols than REST. */
  get methods(): readonly DescMethod[] {
    return this.rpcs.methods;
  }

  /** The path at which a method is served by its full name. */
  readonly pathOf = (fullName: string): string =>
    this.mountPoint.prefixOfMethod(fullName) + fullName;

  /** The path before the path of one rule, without a slash at its end. */
  readonly prefixOf = (binding: Binding): string => this.mountPoint.prefixOf(binding);

  /**
   * The metadata that the call of a REST request has, for entry points next to this one: which headers go on, and which
   * proxies are believed, is then said once.
   *
   * @throws StatusError for a header that no call can have.
   */
  metadataOf(req: IncomingMessage, requestId: string): Metadata {
    try {
      return requestMetadata(req, requestId, this.transcoding);
    } catch (error) {
      throw error instanceof HttpRefusal ? error.status : error;
    }
  }

  /** Whether a rule or a method is served at a path, whatever the method of HTTP. */
  servesAt(path: string): boolean {
    return this.routes.servesAt(path);
  }

  /** Answers GET and HEAD of a path by a handler, before all rules, methods and middleware. */
  serveAt(path: string, handle: RequestHandler): void {
    this.routes.own.set(path, handle);
  }

  /** Puts the mount path below a prefix. Call it before the first request and the OpenAPI document. */
  moveBelow(outer: OuterPrefix): void {
    this.mountPoint.moveBelow(outer, this.bindings);
    this.rpcs.place((name) => this.mountPoint.prefixOfMethod(name));
  }

  /**
   * Serves the WebSocket requests of a server for methods with a stream of requests. Other upgrades go to
   * the server's own listeners; a request that nothing can upgrade is an ordinary one. Replaces
   * `server.emit`: call it after others that do so, and before the server listens. Returns a function that
   * stops it. Does nothing without the option `webSockets`, and without a rule for such a method.
   */
  serveUpgrades(server: Server): () => void {
    if (!this.takesWebSockets) return () => {};
    return takeUpgrades(server, (req) => this.takeover(req));
  }

  /** Tells the clients of all WebSockets to go, with 1001; resolves once they have. */
  closeWebSockets(): Promise<void> {
    return this.exchange.closeWebSockets();
  }

  /** Answers with an error; one that is not a StatusError becomes INTERNAL, without its text. */
  refuse(res: ServerResponse, error: unknown): void {
    this.exchange.refuse(res, error);
  }

  private takeover(req: IncomingMessage): Takeover | undefined {
    // A request with a body is not a handshake (RFC 6455 §4.1).
    if (announcesBody(req)) return undefined;
    const { authority, path, query } = targetOf(req);
    if (authority === '') return undefined;
    const match = this.mountPoint.find(this.streams, 'GET', path)?.match;
    if (match?.kind !== 'route') return undefined;
    const { route: binding, segments } = match;
    return (socket, head) => {
      noteHandler(req, this.reachedBy(binding));
      const res = responseOn(req, socket);
      this.through(req, res, 0, () =>
        this.exchange.connect({ req, res, socket, head, binding, segments, query }),
      );
    };
  }

  /** Figures of the requests so far. */
  get counts(): ExchangeCounts {
    return this.exchange.counts;
  }

  /** The RPC of a rule's requests, for loggers and tracers. */
  private reachedBy(binding: Binding): ReachedHandler {
    let reached = this.reached.get(binding);
    if (reached === undefined) {
      const route = this.prefixOf(binding) + binding.template.source;
      this.reached.set(binding, (reached = { route, handler: binding.fullName }));
    }
    return reached;
  }

  /** Runs the middleware from `index` on, then `last`. */
  private through(req: IncomingMessage, res: ServerResponse, index: number, last: () => void) {
    const middleware = this.middleware[index];
    if (middleware === undefined) {
      last();
      return;
    }
    const proceed: Next = (error) => {
      if (error === undefined || error === null) this.through(req, res, index + 1, last);
      else this.refuse(res, error);
    };
    try {
      const result = middleware(req, res, proceed);
      if (result instanceof Promise) result.catch((error: unknown) => this.refuse(res, error));
    } catch (error) {
      this.refuse(res, error);
    }
  }

  private refuseMethod(
    req: IncomingMessage,
    res: ServerResponse,
    allowed: readonly string[],
  ): void {
    const headers = { allow: [...new Set([...allowed, 'OPTIONS'])].join(', ') };
    if (req.method === 'OPTIONS') {
      setHeaders(res, Object.entries(headers));
      send(res, 204, undefined);
      return;
    }
    const message = `${req.method} is not served at this path`;
    this.refuse(res, refusal(Code.UNIMPLEMENTED, message, { httpStatus: 405, headers }));
  }
}
