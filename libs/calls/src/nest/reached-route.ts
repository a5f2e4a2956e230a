import type { ServerResponse } from 'node:http';
import type { ReachedHandler } from '@apix/contracts/internal';
import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { type NestRoute, type RouteHandler, nestRoutes } from './nest-routes.js';
import { notedPathOf } from './patches/route-paths.js';

/** A request as its framework has it. */
export interface ReachingRequest {
  readonly method?: unknown;
  /** Fastify's. */
  readonly raw?: object | null;
  readonly routeOptions?: { readonly url?: string };
  /** Express'. */
  readonly route?: { readonly path?: unknown };
}

/** The app whose routes requests reach. */
export interface RoutedApp {
  readonly config: ApplicationConfig;
  readonly modules: ModulesContainer;
  readonly adapterHost: HttpAdapterHost;
}

/** A path with the handlers that it may have; the handler is undefined if there are several. */
interface RouteAt extends Pick<NestRoute, 'isFiltered'> {
  readonly handler: RouteHandler | undefined;
}

/** The routes of an app by method and path, read when a request first needs them. */
export class NestRouteTable {
  #routes: ReadonlyMap<string, ReadonlyMap<string, RouteAt>> | undefined;

  constructor(private readonly app: RoutedApp) {}

  at(method: string, path: string): RouteAt | undefined {
    const verbs = (this.#routes ??= this.#read()).get(path);
    if (verbs === undefined) return undefined;
    const route = verbs.get(method) ?? (method === 'HEAD' ? verbs.get('GET') : undefined);
    return route ?? verbs.get('ALL');
  }

  #read(): Map<string, Map<string, RouteAt>> {
    const { config, modules, adapterHost } = this.app;
    const adapter = adapterHost.httpAdapter as { normalizePath?(path: string): string };
    const routes = new Map<string, Map<string, RouteAt>>();
    for (const { verb, path, handler, isFiltered } of nestRoutes(config, modules)) {
      const served = adapter.normalizePath?.(path) ?? path;
      const verbs = routes.get(served) ?? new Map<string, RouteAt>();
      routes.set(served, verbs);
      const other = verbs.get(RequestMethod[verb]);
      const isSame = other === undefined || other.handler === handler;
      verbs.set(RequestMethod[verb], {
        handler: isSame ? handler : undefined,
        isFiltered: isFiltered || other?.isFiltered === true,
      });
    }
    return routes;
  }
}

const NOT_FOUND = 404;

/**
 * Where a request went. An interceptor sets the handler; for a request that has not come so far, because a
 * guard refused it, the route of its framework says it. Both are looked for when they are asked for.
 */
// Why: docs/decisions/0091
export class ReachedRoute implements ReachedHandler {
  /** Set when the handler is known for certain. */
  reached: RouteHandler | undefined;
  private found: string | undefined;

  constructor(
    private readonly request: ReachingRequest,
    private readonly response: ServerResponse | undefined,
    private readonly table: NestRouteTable | undefined,
  ) {}

  get target(): RouteHandler | undefined {
    return this.reached ?? this.#refusedAt()?.handler;
  }

  get route(): string | undefined {
    const isReached = this.reached !== undefined || this.#refusedAt() !== undefined;
    return isReached ? this.#path : undefined;
  }

  get handler(): string | undefined {
    return this.target?.name;
  }

  get isInfrastructure(): boolean {
    return this.target?.isInfrastructure === true;
  }

  /** A route behind a filter may have passed the request on; then it was not found. */
  #refusedAt(): RouteAt | undefined {
    const path = this.#path;
    const { method } = this.request;
    if (path === undefined || typeof method !== 'string') return undefined;
    const route = this.table?.at(method, path);
    return route?.isFiltered === true && this.response?.statusCode === NOT_FOUND
      ? undefined
      : route;
  }

  /** Fastify makes an object of many members for it each time. */
  get #path(): string | undefined {
    if (this.found !== undefined) return this.found;
    const { request } = this;
    const path = request.routeOptions?.url ?? request.route?.path ?? notedPathOf(request);
    return (this.found = typeof path === 'string' ? path : undefined);
  }
}
