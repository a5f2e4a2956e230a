import { fromContext } from '../context/logger-context.js';
import type { Logger } from '../logger/logger.js';
import { recordOf, type RequestRecord } from './request-record.js';

interface FrameworkRequest {
  /** Fastify's. */
  readonly raw?: object | null;
}

/**
 * The logger of a request of `node:http`, Express or Fastify, for code that has the request but may run
 * outside of its context. If the request is not logged, the logger of the context.
 */
export function loggerOfRequest(request: object): Logger {
  const { raw }: FrameworkRequest = request;
  return recordOf(raw ?? request)?.logger ?? fromContext();
}

/**
 * Gives a raw request the property `log`, its current logger. An existing `log` is kept, and assigning
 * `log` replaces it.
 */
export function attachLogger(request: object, record: RequestRecord): void {
  if ('log' in request) return;
  Object.defineProperty(request, 'log', {
    configurable: true,
    get: () => record.logger,
    set(value: unknown) {
      const own = { value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(request, 'log', own);
    },
  });
}
