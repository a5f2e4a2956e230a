import type { ServerResponse } from 'node:http';
import { type ReachedHandler, noteHandler, reachedHandler } from '@apix/contracts/internal';
import type { ExecutionContext } from '@nestjs/common';
import { Entrances } from '../entrances/entrances.js';
import {
  NestRouteTable,
  type RouteAt,
  type RouteHandler,
  type RoutedApp,
  qualifiedName,
  routeHandlerOf,
} from './nest-routes.js';
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

/**
 * Makes `reachedHandler` of `@apix/contracts` tell the route and the handler that every HTTP request
 * reaches, including requests that guards refuse. Call it in the constructor of a module that also calls
 * `enterApp`.
 */
export function noteRoutes(app: RoutedApp): void {
  const entrances = Entrances.of(app.adapterHost);
  if (entrances.noteRoute !== undefined) return;
  const table = new NestRouteTable(app);
  entrances.noteRoute = (raw, request, response) => {
    if (reachedHandler(raw) === undefined) {
      noteHandler(raw, new ReachedRoute(request, response, table));
    }
  };
}

/** Where an interceptor found a request of HTTP. */
export interface ReachedRequest {
  /** That of `node:http`. */
  readonly raw: object;
  readonly handler: RouteHandler;
}

/**
 * Notes the handler of a request of HTTP, for an interceptor.
 *
 * @returns undefined for what other libraries call as if it were HTTP.
 */
export function noteReached(context: ExecutionContext): ReachedRequest | undefined {
  const request = context.getArgByIndex<ReachingRequest | null | undefined>(0);
  if (typeof request !== 'object' || request === null) return undefined;
  const raw = rawRequestOf(request);
  const handler = routeHandlerOf(context.getClass(), context.getHandler());
  const noted = reachedHandler(raw);
  const route =
    noted instanceof ReachedRoute ? noted : new ReachedRoute(request, undefined, undefined);
  route.reached = handler;
  if (route !== noted) noteHandler(raw, route);
  return { raw, handler };
}

/** The handler of a request of `node:http`, also if a guard refused it; undefined if it is not known. */
export function handlerReached(raw: object): RouteHandler | undefined {
  const noted = reachedHandler(raw);
  return noted instanceof ReachedRoute ? noted.target : undefined;
}

/** The request of `node:http` behind the one that a framework gives its handlers. */
export function rawRequestOf(request: { readonly raw?: object | null }): object {
  return request.raw ?? request;
}

/** `Class.method` of a handler. */
export function handlerName(context: ExecutionContext): string {
  return qualifiedName(context.getClass(), context.getHandler());
}

/** Whether a handler serves the operator: health, metrics, docs. */
export function isInfrastructure(context: ExecutionContext): boolean {
  return routeHandlerOf(context.getClass(), context.getHandler()).isInfrastructure;
}
