import type { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Runs what is done for a request. */
export type RequestEntrance = (req: IncomingMessage, res: ServerResponse, run: () => void) => void;

type FastifyHook = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse },
  done: () => void,
) => void;

interface FastifyLike {
  addHook(name: 'onRequest', hook: FastifyHook): void;
}

/**
 * Has each request that Nest's adapter handles pass an entrance, before everything else that is registered
 * later: by a hook of Fastify, by a middleware anywhere else. Call it before the app is initialised.
 *
 * @param adapterHost without an adapter in a microservice and an application context.
 */
export function watchAdapter(adapterHost: HttpAdapterHost, enter: RequestEntrance): void {
  adapterHost.init$.subscribe(() => {
    const httpAdapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    if (httpAdapter === null) return;
    const instance: unknown = httpAdapter.getInstance();
    if (isFastify(instance)) {
      instance.addHook('onRequest', ({ raw }, reply, done) => enter(raw, reply.raw, done));
      return;
    }
    httpAdapter.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
      enter(req, res, next);
    });
  });
}

function isFastify(instance: unknown): instance is FastifyLike {
  return typeof instance === 'object' && instance !== null && 'addHook' in instance;
}
