import type { HttpServer } from '@nestjs/common';
import type { Server } from 'node:http';
import type { ListenTarget } from '../../http/listen.js';
import { replaceMethod } from './replace-method.js';

/**
 * Has the adapter listen where we say, for one `app.listen()`, through which alone Nest knows that
 * its server listens. Fastify itself would listen on loopback alone, for `localhost` with a second
 * server that nothing can drain, and on an activated socket twice. What `app.listen()` has put on
 * the server to log a failure is taken off, so that the host alone tells it: such a failure comes
 * as the server's event 'error' only. The returned function undoes it.
 */
export function listenAt(adapter: HttpServer, server: Server, where: ListenTarget): () => void {
  const known = server.listeners('error');
  return replaceMethod(adapter, 'listen', (_port: unknown, listening: () => void) => {
    for (const listener of server.listeners('error') as (() => void)[]) {
      if (!known.includes(listener)) server.off('error', listener);
    }
    server.listen(where, listening);
  });
}
