import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Host, httpService } from '@apix/hostx/core';
import { CERTIFICATE, KEY } from '../../tools/testing/certificate.js';
import { SLOW_MS, TICK_MS } from './paces.js';

/** The instance under test without Nest: `httpService` with HTTP/2, over TLS or not. */
export function runHttp2(isTls: boolean, delayMs: number, say: (port: number) => void): void {
  const service = httpService({
    host: '127.0.0.1',
    http2: true,
    ...(isTls && { tls: { cert: CERTIFICATE, key: KEY } }),
    drain: { delay: delayMs },
    handler: (request, response) => void answer(request, response, () => service.draining),
  });
  const host = Host.builder()
    .addService(service)
    .onStarted(() => say(Number(service.addr.split(':').at(-1))))
    .build();
  host.run().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

/** The same as the site of Nest. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  isDraining: () => boolean,
): Promise<void> {
  const { url = '' } = request;
  switch (url) {
    case '/readyz':
      response.statusCode = isDraining() ? 503 : 200;
      return void response.end('ok');
    case '/slow':
      await sleep(SLOW_MS);
      return void response.end('slow');
    case '/upload': {
      let body = '';
      for await (const part of request) body += String(part);
      return void response.end(String((JSON.parse(body) as { readonly text: string }).text.length));
    }
    case '/events': {
      response.setHeader('content-type', 'text/event-stream');
      let tick = 0;
      const ticking = setInterval(() => response.write(`data: ${tick++}\n\n`), TICK_MS);
      return void response.on('close', () => clearInterval(ticking));
    }
    default:
      return void response.end('now');
  }
}
