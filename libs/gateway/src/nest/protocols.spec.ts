import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplication, VersioningType } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { type AppPlan, PLATFORMS, startApp } from '../fixtures/nest-app.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { RPC_CORS } from '../http/protocols/rpc-cors.js';

const QUERY = '/transcoding.v1.EchoService/Query';
const ORIGIN = 'https://shop.example';
const BIG = { i64: '9007199254740993', str: 'x'.repeat(200_000) };

let echo: EchoServer;
let app: INestApplication | undefined;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => echo.stop());

async function start(plan: AppPlan): Promise<number> {
  const gateway = {
    endpoint: echo.endpoint,
    protocols: ['connect', 'grpc-web', 'grpc'] as const,
    ...plan.gateway,
  };
  const running = await startApp({ ...plan, gateway });
  ({ app } = running);
  return running.port;
}

const post = (body: string, contentType = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': contentType, origin: ORIGIN },
  body,
});

describe.each(PLATFORMS)('methods of an app on %s', (platform) => {
  it('are called by their names, with any body parsers of the app, and its own routes still work', async () => {
    const port = await start({ platform });
    const answer = await ask(port, QUERY, post(JSON.stringify(BIG)));
    expect([answer.status, answer.json]).toEqual([200, BIG]);
    expect((await ask(port, '/own', post('{"a":1}'))).json).toEqual({ body: { a: 1 } });
    expect((await ask(port, '/transcoding.v1.EchoService/Nope', post('{}'))).status).toBe(404);
  });

  it('are below the global prefix, unless it leaves them out', async () => {
    const main = (it: INestApplication): void =>
      void it.setGlobalPrefix('api', { exclude: ['transcoding.v1.EchoService/Fail'] });
    const port = await start({ platform, main });
    expect((await ask(port, `/api${QUERY}`, post('{"str":"a"}'))).json).toEqual({ str: 'a' });
    expect((await ask(port, QUERY, post('{}'))).status).toBe(404);
    expect((await ask(port, '/transcoding.v1.EchoService/Fail', post('{}'))).status).toBe(200);
  });

  it('keep their paths in an app with versions', async () => {
    const versions = {
      type: VersioningType.HEADER,
      header: 'x-version',
      defaultVersion: '2',
    } as const;
    const main = (it: INestApplication): void => void it.enableVersioning(versions);
    const port = await start({ platform, main });
    expect((await ask(port, QUERY, post('{"str":"a"}'))).json).toEqual({ str: 'a' });
    expect((await ask(port, '/own', post('{"a":1}'))).status).toBe(404);
  });
});

describe.each(['Express', 'Fastify'] as const)('pages of another origin on %s', (platform) => {
  const main = (it: INestApplication): void => it.enableCors({ origin: ORIGIN, ...RPC_CORS });

  it('may call, and read the status of gRPC-Web, with the CORS of the app', async () => {
    const port = await start({ platform, main });
    const preflight = await ask(port, QUERY, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'connect-timeout-ms,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Connect-Timeout-Ms/);
    const denied = await ask(
      port,
      '/transcoding.v1.EchoService/Fail',
      post('AAAAAAIIBw==', 'application/grpc-web-text'),
    );
    expect(denied.headers).toMatchObject({
      'grpc-status': '7',
      'access-control-allow-origin': ORIGIN,
    });
    expect(denied.headers['access-control-expose-headers']).toMatch(/Grpc-Status/);
  });
});

describe('gRPC on the port of an app', () => {
  it('is served on Fastify with HTTP/2, with headers, trailers and errors', async () => {
    const adapter = new FastifyAdapter({ http2: true } as never) as never;
    await start({ platform: 'Fastify', adapter });
    const { port } = (app!.getHttpServer() as Server).address() as AddressInfo;
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const same = (bytes: Buffer): Buffer => bytes;
    const call = (method: string, message: Buffer) =>
      new Promise<{ error: unknown; answer: Buffer | undefined; trailers: Metadata }>((resolve) => {
        let outcome: { error: unknown; answer: Buffer | undefined };
        const path = `/transcoding.v1.EchoService/${method}`;
        const made = client.makeUnaryRequest(path, same, same, message, (error, answer) => {
          outcome = { error, answer };
        });
        made.on('status', ({ metadata }) => resolve({ ...outcome, trailers: metadata }));
      });
    const metadata = await call('Metadata', Buffer.from('\u0012\u0006x-t=va'));
    expect(metadata.error).toBeNull();
    expect(metadata.trailers.get('x-t')).toEqual(['va']);
    const { error } = await call('Fail', Buffer.from('\u0008\u0007\u0012\u0002no'));
    expect(error).toMatchObject({ code: 7, details: 'no' });
    client.close();
  });
});
