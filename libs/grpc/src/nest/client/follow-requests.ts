import { runInCall } from '@apix/contracts';
import type { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestUnderWay } from './request-under-way.js';

interface FastifyLike {
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse },
      done: () => void,
    ) => void,
  ): void;
}

/**
 * Has all that Nest does for a request of HTTP run as part of it, so that the calls that are made take over
 * what it has.
 *
 * @param adapterHost without an adapter in a microservice and an application context.
 */
// Why: docs/decisions/0280
export function followRequests(adapterHost: HttpAdapterHost): void {
  adapterHost.init$.subscribe(() => {
    const httpAdapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    if (httpAdapter === null) return;
    const instance: unknown = httpAdapter.getInstance();
    if (isFastify(instance)) {
      instance.addHook('onRequest', ({ raw }, reply, done) => {
        runInCall(new RequestUnderWay(raw, reply.raw), done);
      });
      return;
    }
    httpAdapter.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
      runInCall(new RequestUnderWay(req, res), next);
    });
  });
}

function isFastify(instance: unknown): instance is FastifyLike {
  return typeof instance === 'object' && instance !== null && 'addHook' in instance;
}
