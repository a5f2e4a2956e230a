import { type Deadline, Mistakes, parseDuration } from '@apix/contracts';
import type { INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { DrainDelay } from '../drain-delay.js';
import { type DrainOptions } from '../http/http-options.js';
import { type HttpService, httpService } from '../http/http-service.js';
import type { ListenTarget } from '../http/listen.js';
import { type NestHttpOptions, portFromEnv } from './hostx-options.js';
import { listenAt } from './patches/adapter-listen.js';

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
