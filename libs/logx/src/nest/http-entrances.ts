import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import type { HttpDoor } from '../http/http-door.js';
import { watchServer } from '../patches/server-emit.js';

type FastifyHook = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse },
  done: () => void,
) => void;

interface FastifyLike {
  addHook(name: 'onRequest', hook: FastifyHook): void;
}

/**
 * Has requests that do not come through Nest's server pass the door too: `inject` of Fastify, its
 * further servers for the addresses of `localhost`, and platforms that call Express themselves.
 * All others have passed it before; see {@link watchNestServer}.
 *
 * @param adapterHost without an adapter in a microservice and an application context.
 */
export function watchAdapter(adapterHost: HttpAdapterHost, door: HttpDoor): void {
  const httpAdapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
  if (httpAdapter === null) return;
  const instance: unknown = httpAdapter.getInstance();
  if (isFastify(instance)) {
    instance.addHook('onRequest', (request, reply, done) => {
      door.request(request.raw, reply.raw, done);
    });
    return;
  }
  httpAdapter.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    door.request(req, res, next);
  });
}

/**
 * Watches the server itself: frameworks answer some requests before any of their hooks.
 *
 * @returns a function that undoes it.
 */
export function watchNestServer({ httpAdapter }: HttpAdapterHost, door: HttpDoor): () => void {
  const server: unknown = httpAdapter?.getHttpServer();
  return isServer(server) ? watchServer(server, door) : () => {};
}

function isFastify(instance: unknown): instance is FastifyLike {
  return typeof instance === 'object' && instance !== null && 'addHook' in instance;
}

function isServer(value: unknown): value is Parameters<typeof watchServer>[0] {
  return typeof value === 'object' && value !== null && 'emit' in value;
}
