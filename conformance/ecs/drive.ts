import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcServer } from '@apix/grpc';
import { startHost } from '@apix/hostx/testing';
import { createLogger, customSink, type EcsOptions } from '@apix/logx';
import { grpcCall } from '../hostile/grpc-call.js';
import { Shop } from './app.js';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const HEADERS = { 'user-agent': 'conformance/1', traceparent: TRACE };
/** An empty message, framed. */
const EMPTY = new Uint8Array(5);

/** Starts the shop, makes everything happen that is logged, and gives the lines of its log. */
export async function linesOfShop(ecs: EcsOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  const sink = customSink({ write: (line) => void lines.push(line) }, { format: 'ecs' });
  const settings = { level: 'verbose', caller: true, stackTrace: true } as const;
  const logger = createLogger({ ...settings, ecs, sinks: [sink] });
  const { app, host, stop } = await startHost(Shop.with(logger), {
    timeout: '60s',
    logger: logger.forContext('logger', 'host'),
  });
  const url = (await app!.getUrl()).replace('[::1]', '127.0.0.1');
  for (const path of [
    '/desk/ok',
    '/desk/missing',
    '/desk/broken',
    '/nowhere',
    '/probe',
    '/readyz',
  ]) {
    await fetch(url + path, { headers: HEADERS });
  }
  await fetch(`${url}/desk/text`, { method: 'POST', headers: HEADERS });
  for (const path of ['/porch/hello', '/porch:fail', '/vault/secret', '/porch:tag?wrong=1']) {
    await fetch(`${url}/api/v1${path}`, { headers: HEADERS });
  }
  await upgrade(url);
  const { port } = app!.get(GrpcServer, { strict: false });
  for (const method of ['Porch/Greet', 'Porch/Fail', 'Vault/Read', 'Porch/Nothing']) {
    const headers = { 'content-type': 'application/grpc', te: 'trailers', ...HEADERS };
    await grpcCall(port, { path: `/strangers.v1.${method}`, headers, body: EMPTY });
  }
  await until(() => lines.some((line) => line.includes('swept')));
  await host.reload().catch(() => {});
  await stop().catch(() => {});
  return lines;
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds() && Date.now() < end;) await sleep(10);
}

/** Asks for a WebSocket that nobody serves. */
async function upgrade(url: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const headers = { ...HEADERS, connection: 'Upgrade', upgrade: 'websocket' };
    const request = http.get(`${url}/desk/ok`, { headers });
    for (const event of ['response', 'upgrade', 'error', 'close'])
      request.on(event, () => resolve());
  });
}
