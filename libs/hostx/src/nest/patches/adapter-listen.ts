import { replaceOn } from '@apix/contracts/internal';
import type { HttpServer } from '@nestjs/common';
import type { Server } from 'node:http';
import type { ListenTarget } from '../../http/listen.js';

type Listen = (port: unknown, listening: () => void) => unknown;

/**
 * Makes the adapter listen at the given endpoint for one `app.listen()`, the only call by which Nest knows
 * that its server listens. Fastify itself would listen only on loopback, for `localhost` with a second
 * server that nothing can drain, and on an activated socket twice. The listener with which `app.listen()`
 * logs a failure is removed, so that only the host reports it: such a failure is only an 'error' event of
 * the server. The returned function undoes it.
 */
export function listenAt(adapter: HttpServer, server: Server, where: ListenTarget): () => void {
  const known = server.listeners('error');
  return replaceOn(adapter as { listen: Listen }, 'listen', () => (_port, listening) => {
    for (const listener of server.listeners('error') as (() => void)[]) {
      if (!known.includes(listener)) server.off('error', listener);
    }
    return server.listen(where, listening);
  });
}
