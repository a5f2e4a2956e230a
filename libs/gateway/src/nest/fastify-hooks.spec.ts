import fastifyCors from '@fastify/cors';
import fastifyRateLimit from '@fastify/rate-limit';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Post } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { startApp } from '../fixtures/nest-app.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';

const JSON_BODY = { 'content-type': 'application/json' };

@Controller()
class Beside {
  @Post('v1/query')
  sameTemplate() {
    return { nest: 'post' };
  }
  @Get('*')
  everything() {
    return { nest: 'everything' };
  }
}

let echo: EchoServer;
let app: INestApplication;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterEach(() => app.close());
afterAll(() => echo.stop());

async function start(
  main: (it: NestFastifyApplication) => Promise<void> | void,
  gateway: GatewayModuleOptions = {},
  adapter = new FastifyAdapter(),
): Promise<number> {
  const running = await startApp({
    platform: 'Fastify',
    adapter,
    gateway: { endpoint: echo.endpoint, ...gateway },
    module: { controllers: [Beside] },
    main: (it) => main(it as NestFastifyApplication),
  });
  ({ app } = running);
  return running.port;
}

it('hooks of Fastify run for the gateway up to preHandler', async () => {
  const calls: string[] = [];
  const port = await start((it) => {
    const fastify = it.getHttpAdapter().getInstance();
    fastify.addHook('onRequest', async () => void calls.push('onRequest'));
    fastify.addHook('preParsing', async () => void calls.push('preParsing'));
    fastify.addHook('preValidation', async () => void calls.push('preValidation'));
    fastify.addHook('preHandler', async (request) => {
      calls.push(`preHandler ${String(request.body)}`);
    });
    fastify.addHook('onSend', async () => void calls.push('onSend'));
  });
  const big = { i64: '9007199254740993', str: 'x'.repeat(2_000_000) };
  const answer = await ask(port, '/v1/whole', {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify(big),
  });
  expect(answer.json).toEqual(big);
  expect(calls).toEqual(['onRequest', 'preParsing', 'preValidation', 'preHandler undefined']);
});

it('headers that hooks set on the reply of Fastify reach the caller', async () => {
  const port = await start(async (it) => {
    await it.register(fastifyCors, { origin: 'https://shop.example' });
    await it.register(fastifyRateLimit, { max: 100 });
  });
  const origin = 'https://shop.example';
  for (const path of ['/v1/query?str=a', '/v1/query?nope=a', '/v1/count?to=2']) {
    const { headers } = await ask(port, path, { headers: { origin } });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'x-ratelimit-limit': '100',
    });
  }
  const preflight = await ask(port, '/v1/whole', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
    204,
    origin,
  ]);
});

it('the gateway comes before controllers of any path, and leaves them their methods', async () => {
  const passed: string[] = [];
  const port = await start(() => {}, {
    middleware: [
      (req, _res, next) => {
        passed.push(`${req.method} ${req.url}`);
        next();
      },
    ],
  });
  expect((await ask(port, '/v1/query?str=a')).json).toEqual({ str: 'a' });
  const posted = await ask(port, '/v1/query', { method: 'POST', headers: JSON_BODY, body: '{}' });
  expect(posted.json).toEqual({ nest: 'post' });
  expect((await ask(port, '/v1/elsewhere')).json).toEqual({ nest: 'everything' });
  expect(passed).toEqual(['GET /v1/query?str=a', 'POST /v1/query']);
});

it('a path of any length and encoding that the router takes reaches the gateway as it was sent', async () => {
  const port = await start(() => {});
  const long = 'a%2Fb%20'.repeat(200);
  expect((await ask(port, `/v1/path/one/${long}`)).json).toEqual({ str: 'a/b '.repeat(200) });
  expect((await ask(port, '/v1/query/?str=a')).status).toBe(200);
});
