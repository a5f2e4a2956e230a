import { hasMark, INFRASTRUCTURE_ENDPOINT } from '@apix/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { recordOf } from '../request/request-record.js';
import { routeLevelOf } from './request-log.decorator.js';

interface NestRequest {
  /** Fastify's. */
  readonly raw?: object | null;
  readonly routeOptions?: { readonly url?: string };
  /** Express'. */
  readonly route?: { readonly path?: unknown };
}

/**
 * Lets every request pass and notes where it went. A guard, for it is the first thing of Nest
 * that knows the handler, sees requests that other guards deny, and costs a tenth of an
 * interceptor.
 */
export class HandlerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    // Nest says "http" of what other libraries call through its ExternalContextCreator, too.
    const request = context.getArgByIndex<NestRequest | null | undefined>(0);
    if (typeof request !== 'object' || request === null) return true;
    const record = recordOf(request.raw ?? request);
    if (record === undefined) return true;
    const path = request.routeOptions?.url ?? request.route?.path;
    record.route = typeof path === 'string' ? path : undefined;
    record.handler = handlerName(context);
    record.isProbe = isInfrastructure(context);
    record.routeLevel = routeLevelOf(context);
    record.takeContextFields();
    return true;
  }
}

/** `Class.method`; a handler of a gRPC stream has no name of its own. */
export function handlerName(context: ExecutionContext): string {
  const { name } = context.getHandler();
  return name === '' ? context.getClass().name : `${context.getClass().name}.${name}`;
}

export function isInfrastructure(context: ExecutionContext): boolean {
  return (
    hasMark(context.getClass(), INFRASTRUCTURE_ENDPOINT) ||
    hasMark(context.getHandler(), INFRASTRUCTURE_ENDPOINT)
  );
}
