import type { Deadline } from '@apix/contracts';
import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import { untilAborted } from '../outcome.js';
import type { Service } from '../service.js';
import type { NestHttpOptions } from './hostx-options.js';

/** The app's own HTTP server as a service: listens when started, and stops before `app.close()`. */
export function nestHttpService(app: INestApplication, options: NestHttpOptions): Service {
  let listening: Promise<unknown> = Promise.resolve();
  return {
    name: 'http',
    async start(signal) {
      const port = options.port ?? portFromEnv();
      listening = options.host === undefined ? app.listen(port) : app.listen(port, options.host);
      await listening;
      await untilAborted(signal);
    },
    async ready() {
      await listening;
    },
    stop: (deadline) => closeServer(app.getHttpServer() as Server, deadline),
  };
}

function portFromEnv(): number {
  return Number(process.env['PORT'] ?? 3000);
}

async function closeServer(server: Server, deadline: Deadline): Promise<void> {
  if (!server.listening) return;
  const force = (): void => server.closeAllConnections();
  deadline.signal.addEventListener('abort', force, { once: true });
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  deadline.signal.removeEventListener('abort', force);
}
