import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logger/logger.js';
import { HttpDoor } from './http-door.js';
import type { HttpLogOptions } from './http-options.js';

/**
 * Middleware for `node:http`, Express and frameworks with middleware of the same form: gives each request
 * an id and a logger, which `fromContext()` returns, and logs one event when its response has ended.
 *
 * Install it before all other middleware. `LogxModule` does not need it.
 *
 * @throws OptionsError with every wrong option.
 */
export function httpMiddleware(
  logger: Logger,
  options?: HttpLogOptions,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  const door = new HttpDoor(logger, options);
  return (req, res, next) => door.request(req, res, next);
}
