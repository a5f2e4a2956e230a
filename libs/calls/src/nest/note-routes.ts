import { INFRASTRUCTURE_ENDPOINT } from '@apix/contracts';
import { hasMark, noteHandler, reachedHandler } from '@apix/contracts/internal';
import type { ExecutionContext } from '@nestjs/common';
import { Entrances } from '../entrances/entrances.js';
import { type RouteHandler, qualifiedName, routeHandlerOf } from './nest-routes.js';
import {
  type ReachingRequest,
  ReachedRoute,
  NestRouteTable,
  type RoutedApp,
} from './reached-route.js';

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
  return (
    hasMark(context.getClass(), INFRASTRUCTURE_ENDPOINT) ||
    hasMark(context.getHandler(), INFRASTRUCTURE_ENDPOINT)
  );
}
