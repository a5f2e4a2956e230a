import type { HttpServer } from '@nestjs/common';
import type { Server } from 'node:http';
import type { ListenTarget } from '../../http/listen.js';
import { replaceMethod } from './replace-method.js';

/**
 * Has the adapter listen where we say, for one `app.listen()`, through which alone Nest knows that
 * its server listens. Fastify itself would listen on loopback alone, for `localhost` with a second
 * server that nothing can drain, and on an activated socket twice. The returned function undoes it.
 */
export function listenAt(adapter: HttpServer, server: Server, where: ListenTarget): () => void {
  return replaceMethod(adapter, 'listen', (_port: unknown, listening: () => void) =>
    server.listen(where, listening),
  );
}
