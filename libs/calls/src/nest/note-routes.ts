import {
  INFRASTRUCTURE_ENDPOINT,
  hasMark,
  markInfrastructureRequest,
  noteHandler,
} from '@apix/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { hasControllerMethod } from './controller-methods.js';

/** On the configuration of an app whose routes are noted, so that installed copies do it once. */
const NOTED = Symbol.for('apix.calls.NotedRoutes');

interface NestRequest {
  /** Fastify's. */
  readonly raw?: object | null;
  readonly routeOptions?: { readonly url?: string };
  /** Express'. */
  readonly route?: { readonly path?: unknown };
}

/**
 * Has every request of HTTP noted with the route and the handler that it reaches, for `reachedHandler` of
 * `@apix/contracts`, and marked where that is an infrastructure endpoint. Call it in the constructor of a
 * module: Nest puts guards given by then before those of `APP_GUARD`, so that what other guards deny has its
 * route, too. An app without a route gets no guard, for Nest would run it in each call of gRPC.
 */
export function noteRoutes(
  config: ApplicationConfig & { [NOTED]?: true },
  modules: ModulesContainer,
): void {
  if (config[NOTED] !== undefined) return;
  config[NOTED] = true;
  if (!hasRoutes(modules)) return;
  config.useGlobalGuards(new RouteGuard());
}

/** Whether an app answers HTTP by a controller of its own or of a module that it imports. */
export function hasRoutes(modules: ModulesContainer): boolean {
  return hasControllerMethod(modules, isRoute);
}

function isRoute(method: object): boolean {
  return Reflect.hasMetadata(PATH_METADATA, method);
}

/**
 * Lets every request pass and notes where it went. A guard, for it is the first thing of Nest that knows the
 * handler, sees requests that other guards deny, and costs a tenth of an interceptor.
 */
class RouteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = rawRequestOf(context);
    if (request === undefined) return true;
    const { routeOptions, route } = context.getArgByIndex<NestRequest>(0);
    const path = routeOptions?.url ?? route?.path;
    noteHandler(request, {
      route: typeof path === 'string' ? path : undefined,
      handler: handlerName(context),
    });
    if (isInfrastructure(context)) markInfrastructureRequest(request);
    return true;
  }
}

/** The request of `node:http` that a handler is called for; undefined where it is called for something else. */
export function rawRequestOf(context: ExecutionContext): object | undefined {
  if (context.getType() !== 'http') return undefined;
  // Nest says "http" of what other libraries call through its ExternalContextCreator, too.
  const request = context.getArgByIndex<NestRequest | null | undefined>(0);
  if (typeof request !== 'object' || request === null) return undefined;
  return request.raw ?? request;
}

/** `Class.method`; a handler of a gRPC stream has no name of its own. */
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
