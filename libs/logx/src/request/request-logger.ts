import { fromContext } from '../context/logger-context.js';
import type { Logger } from '../logger/logger.js';
import { requestRecordOf } from './request-record.js';

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
  return requestRecordOf(raw ?? request)?.logger ?? fromContext();
}

/**
 * Gives a raw request that has a record the property `log`, its current logger. An existing `log` is kept,
 * and assigning `log` replaces it.
 */
export function attachLogger(request: object): void {
  if (!('log' in request)) Object.defineProperty(request, 'log', CURRENT_LOGGER);
}

/** Shared by all requests: with functions of its own, each request would be slow to read for everybody. */
const CURRENT_LOGGER: PropertyDescriptor & ThisType<object> = {
  configurable: true,
  get() {
    // Not the logger of `raw`, which middleware may have put there.
    return requestRecordOf(this)?.logger ?? fromContext();
  },
  set(value: unknown) {
    const own = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(this, 'log', own);
  },
};
