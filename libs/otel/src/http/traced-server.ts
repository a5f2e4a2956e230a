import { type WatchableServer, enterServer } from '@apix/calls';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpTraceDoor, type HttpTracingInit } from './http-trace-door.js';

/**
 * Gives each request of a server of Node, `http`, `https` or `http2`, its span, upgrades included. Nest apps
 * import `TracingModule` instead.
 *
 * @returns a function that undoes it.
 * @throws OtelError with every wrong option.
 */
export function traceServer(server: WatchableServer, init: HttpTracingInit): () => void {
  return enterServer(server, new HttpTraceDoor(init));
}

/**
 * The same for one handler: its requests have spans, and it runs in them.
 *
 * @throws OtelError with every wrong option.
 */
export function tracedHandler<Req extends IncomingMessage, Res extends ServerResponse>(
  handler: (req: Req, res: Res) => unknown,
  init: HttpTracingInit,
): (req: Req, res: Res) => void {
  const door = new HttpTraceDoor(init);
  return (req, res) => door.request(req, res, () => void handler(req, res));
}
