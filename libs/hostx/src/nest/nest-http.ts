import { type Deadline, Mistakes, parseDuration } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import type { INestApplication, INestMicroservice } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { DrainDelay } from '../drain-delay.js';
import type { DrainOptions } from '../http/http-options.js';
import { type HttpService, httpService } from '../http/http-service.js';
import type { ListenTarget } from '../http/listen.js';
import type { Service } from '../service.js';
import type { BackgroundWork } from './background/background-work.js';
import { type HostxModuleOptions, type NestHttpOptions, portFromEnv } from './hostx-options.js';
import { listenAt } from './patches/adapter-listen.js';
import { closeAlone } from './patches/app-close.js';

/** The app's own HTTP server as a service: listens when started, and stops before `app.close()`. */
export function nestHttpService(
  app: INestApplication,
  options: NestHttpOptions,
  drain: DrainOptions,
  beforeFarewell: (deadline: Deadline) => Promise<void>,
): HttpService {
  return httpService({
    ...options,
    name: 'http',
    port: options.port ?? portFromEnv(new Mistakes()),
    server: app.getHttpServer() as Server,
    drain,
    beforeFarewell,
    listen: (server, where) => listenThrough(app, server, where),
  });
}

/** The server that `app.listen()` of a plain main opens, as a service: ready as soon as it listens. */
export function plainHttpService(
  adapterHost: HttpAdapterHost,
  { drain = {}, http = {} }: HostxModuleOptions,
  background: BackgroundWork,
): HttpService {
  const { timeouts, withServer } = http === false ? {} : http;
  const listening = new Promise<void>((resolve) => {
    if (adapterHost.listening) resolve();
    else adapterHost.listen$.subscribe({ complete: resolve });
  });
  return httpService({
    server: adapterHost.httpAdapter.getHttpServer() as Server,
    drain,
    activation: false,
    ...(timeouts && { timeouts }),
    ...(withServer && { withServer }),
    beforeFarewell: (deadline) => background.drainSockets(deadline),
    listen: (_server, _where, signal) => Promise.race([listening, untilAborted(signal)]),
  });
}

/** The delay of a drain whose options were checked. */
export function drainDelayOf({ delay, always }: DrainOptions): DrainDelay {
  return new DrainDelay(delay === undefined ? undefined : parseDuration(delay), undefined, always);
}

/** Has Nest know that its server listens, and where (`app.getUrl()`, `HttpAdapterHost.listen$`). */
async function listenThrough(
  app: INestApplication,
  server: Server,
  where: ListenTarget,
): Promise<void> {
  const adapter = app.getHttpAdapter();
  // Fastify prepares its routes where it listens itself.
  const framework = adapter.getInstance() as { readonly ready?: () => PromiseLike<unknown> };
  await framework.ready?.();
  const over = new AbortController();
  // Rejects with the server's error, which `app.listen()` does not report.
  const listening = once(server, 'listening', { signal: over.signal });
  const undo = listenAt(adapter, server, where);
  try {
    await Promise.all([app.listen(where.port ?? 0), listening]);
  } finally {
    undo();
    over.abort();
  }
}

/**
 * The microservices that the app itself connected, as one service: they listen when it starts,
 * and are closed when it stops, before the services whose messages they carry.
 *
 * @param microservices none: the app's main listens and closes them itself.
 * @param background waits for the messages under way; they are closed whether it fails or not
 * @param onClosed gets what undoes the close of one, to be called once the app has closed.
 */
export function microservicesService(
  microservices: readonly INestMicroservice[],
  background: BackgroundWork,
  onClosed: (undo: () => void) => void = () => {},
): Service {
  let listening: Promise<unknown> = Promise.resolve();
  return {
    name: 'microservices',
    async start(signal) {
      listening = Promise.all(microservices.map((microservice) => microservice.listen()));
      await listening;
      await untilAborted(signal);
    },
    async ready() {
      await listening;
    },
    async stop(deadline) {
      try {
        await background.drainMessages(deadline);
      } finally {
        await Promise.all(microservices.map(async (one) => onClosed(await closeAlone(one))));
      }
    },
  };
}
