import type { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Entrances, type RequestEntrance } from '../entrances/entrances.js';
import { type HeaderKeeper, offerHeaders } from '../patches/response-head.js';
import { noteRoutePaths } from './patches/route-paths.js';
import type { WatchableServer } from '../patches/server-emit.js';

type FastifyReply = HeaderKeeper & { readonly raw: ServerResponse };

type FastifyHook = (
  request: { readonly raw: IncomingMessage },
  reply: FastifyReply,
  done: () => void,
) => void;

interface FastifyLike {
  addHook(name: 'onRequest', hook: FastifyHook): void;
}

/** On an adapter host whose adapter lets requests in by {@link Entrances} already. */
const HOOKED = Symbol.for('apix.calls.HookedAdapter');

type Hookable = HttpAdapterHost & { [HOOKED]?: true };

/**
 * Registers an entrance that each request of Nest's adapter passes, before everything that is registered
 * later: by a hook with Fastify, otherwise by a middleware. Call it before the app is initialised. See
 * {@link watchAppServer} for requests that a framework answers before that.
 *
 * @param adapterHost without an adapter in a microservice and an application context.
 * @returns a function that undoes it.
 */
export function enterApp(adapterHost: Hookable, entrance: RequestEntrance): () => void {
  const entrances = Entrances.of(adapterHost);
  if (adapterHost[HOOKED] === undefined) {
    adapterHost[HOOKED] = true;
    hookAdapter(adapterHost, entrances);
  }
  return entrances.add(entrance);
}

/**
 * Makes the entrances of {@link enterApp} watch the server itself: frameworks answer some requests before
 * any of their hooks. Call it when Nest initialises the modules: the server exists then and has no callers
 * yet.
 *
 * @returns a function that undoes it.
 */
export function watchAppServer(adapterHost: HttpAdapterHost): () => void {
  const { httpAdapter } = adapterHost as { readonly httpAdapter?: HttpAdapterHost['httpAdapter'] };
  const server: unknown = httpAdapter?.getHttpServer();
  return isServer(server) ? Entrances.of(adapterHost).watch(server) : () => {};
}

function hookAdapter(adapterHost: HttpAdapterHost, entrances: Entrances): void {
  adapterHost.init$.subscribe(() => {
    const httpAdapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    if (httpAdapter === null) return;
    const instance: unknown = httpAdapter.getInstance();
    if (isFastify(instance)) {
      entrances.writesHeadAtOnce = true;
      instance.addHook('onRequest', (request, reply, done) => {
        const { raw } = request;
        entrances.noteRoute?.(raw, request, reply.raw);
        if (entrances.hasPassed(raw)) goOn(reply, done);
        else entrances.request(raw, reply.raw, () => goOn(reply, done));
      });
      return;
    }
    // Express says itself which route a request has reached.
    if (httpAdapter.getType() !== 'express') noteRoutePaths(httpAdapter);
    httpAdapter.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
      entrances.noteRoute?.(req, req, res);
      entrances.request(req, res, next);
    });
  });
}

function goOn(reply: FastifyReply, done: () => void): void {
  offerHeaders(reply.raw, reply);
  done();
}

function isFastify(instance: unknown): instance is FastifyLike {
  return typeof instance === 'object' && instance !== null && 'addHook' in instance;
}

function isServer(value: unknown): value is WatchableServer {
  return typeof value === 'object' && value !== null && 'emit' in value;
}
