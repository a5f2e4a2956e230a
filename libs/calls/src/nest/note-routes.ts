import {
  INFRASTRUCTURE_ENDPOINT,
  type ReachedHandler,
  hasMark,
  markInfrastructureRequest,
  noteHandler,
} from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { notedPathOf } from './patches/route-paths.js';
import { type HandlerReached, type RouteHandler, observeRoutes } from './patches/route-handlers.js';

interface NestRequest {
  /** Fastify's. */
  readonly raw?: object | null;
  readonly routeOptions?: { readonly url?: string };
  /** Express'. */
  readonly route?: { readonly path?: unknown };
}

/**
 * Records the route and the handler that every HTTP request reaches, including requests that guards deny,
 * for `reachedHandler` of `@apix/contracts`, and marks requests to infrastructure endpoints. Call it in the
 * constructor of a module: Nest makes the routes later.
 *
 * @returns a function that undoes it for routes that are not made yet.
 */
export function noteRoutes(): () => void {
  return observeRoutes(noteRoute);
}

function noteRoute({ name, isInfrastructure }: RouteHandler): HandlerReached {
  return (request: NestRequest) => {
    const raw = rawRequestOf(request);
    noteHandler(raw, new ReachedRoute(name, request));
    if (isInfrastructure) markInfrastructureRequest(raw);
  };
}

/** Looks for the route when it is asked for: Fastify makes an object of many members for it each time. */
class ReachedRoute implements ReachedHandler {
  constructor(
    readonly handler: string,
    private readonly request: NestRequest,
  ) {}

  get route(): string | undefined {
    const { request } = this;
    const path = request.routeOptions?.url ?? request.route?.path ?? notedPathOf(request);
    return typeof path === 'string' ? path : undefined;
  }
}

/** The request of `node:http` behind the one that a framework gives its handlers. */
export function rawRequestOf(request: { readonly raw?: object | null }): object {
  return request.raw ?? request;
}

/** `Class.method`; the handler of a gRPC stream has no own name. */
export function handlerName(context: ExecutionContext): string {
  const { name } = context.getHandler();
  return name === '' ? context.getClass().name : `${context.getClass().name}.${name}`;
}

/** Whether a handler serves the operator: health, metrics, docs. */
export function isInfrastructure(context: ExecutionContext): boolean {
  return (
    hasMark(context.getClass(), INFRASTRUCTURE_ENDPOINT) ||
    hasMark(context.getHandler(), INFRASTRUCTURE_ENDPOINT)
  );
}
