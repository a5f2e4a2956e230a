import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpLogOptions } from '../http/http-options.js';
import { head, RawClient } from '../http/raw-client.fixture.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink, type CollectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';
import { FailingController, OrdersController, ProbeController } from './shop.fixture.js';

const REQUEST = '{Method} {Path} -> {Status}';
const PANIC = 'panic recovered: {Panic}';

/** A running app and what it logged. */
class Running {
  constructor(
    readonly app: INestApplication,
    readonly logged: CollectingSink,
  ) {}

  get port(): number {
    return ((this.app.getHttpServer() as Server).address() as AddressInfo).port;
  }

  /** Asks, and waits for the event of the request. */
  async ask(method: string, path: string, init: RequestInit = {}) {
    this.logged.clear();
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { method, ...init });
    const body = await response.text();
    const event = (await loggedUntil(this.logged, REQUEST)).only();
    return { response, body, event };
  }
}

type Platform = () => ExpressAdapter | FastifyAdapter;

async function start(
  platform: Platform,
  http: HttpLogOptions = {},
  prepare: (app: INestApplication) => void = () => {},
): Promise<Running> {
  const logged = collectingSink();
  @Module({
    imports: [LogxModule.forRoot({ sinks: [logged], http })],
    controllers: [OrdersController, FailingController, ProbeController],
  })
  class ShopModule {}
  const app = await NestFactory.create(ShopModule, platform(), { logger: false });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  return new Running(app, logged);
}

describe.each<[string, Platform]>([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('on %s', (_name, platform) => {
  let running: Running;

  beforeAll(async () => {
    running = await start(platform, {}, (app) => app.enableCors());
  });
  afterAll(() => running.app.close());

  describe('the event of a request', () => {
    it.each<[string, string, string, object]>([
      [
        'a handler',
        'GET',
        '/orders/o-1?secret=1',
        {
          message: 'GET /orders/o-1 -> 200',
          level: 'info',
          route: '/orders/:id',
          handler: 'OrdersController.find',
          bytes: 12,
        },
      ],
      ['a file', 'GET', '/orders/file', { status: 200, bytes: 1500 }],
      ['a handler that writes itself', 'GET', '/orders/raw', { status: 202, bytes: 4 }],
      [
        'HEAD',
        'HEAD',
        '/orders/o-1',
        { message: 'HEAD /orders/o-1 -> 200', bytes: 0, handler: 'OrdersController.find' },
      ],
      ['no content', 'POST', '/orders/silent', { status: 204, bytes: 0 }],
      ['no route', 'GET', '/nowhere', { level: 'warn', status: 404 }],
      ['a target that is no path', 'GET', '/%zz', { level: 'warn' }],
      [
        'a denied request',
        'GET',
        '/failing/denied',
        { level: 'warn', status: 403, handler: 'FailingController.denied' },
      ],
      [
        'a parameter that does not parse',
        'GET',
        '/orders/number/x',
        { level: 'warn', status: 400, handler: 'OrdersController.number' },
      ],
    ])('of %s tells how it went', async (_what, method, path, expected) => {
      const { event, response } = await running.ask(method, path);
      expect(event).toMatchObject({
        Method: method,
        status: response.status,
        Status: response.status,
        RequestId: response.headers.get('x-request-id'),
        remote: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        duration_ms: expect.any(Number),
        user_agent: 'node',
      });
      expect(event).toMatchObject(expected);
      expect(running.logged.withTemplate(PANIC).count).toBe(0);
    });

    it('is there for a preflight that the framework answers', async () => {
      const { event, response } = await running.ask('OPTIONS', '/orders', {
        headers: { origin: 'http://a.test', 'access-control-request-method': 'PUT' },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(event).toMatchObject({ Method: 'OPTIONS', Path: '/orders', status: 204 });
    });

    it('is there for a body that does not parse', async () => {
      const { event } = await running.ask('POST', '/orders', {
        body: '{',
        headers: { 'content-type': 'application/json' },
      });
      expect(event).toMatchObject({ level: 'warn', status: 400 });
    });

    it('has status 499 for a caller that went away', async () => {
      running.logged.clear();
      const client = await RawClient.to(running.port);
      client.send(head('GET', '/orders/slow'));
      const server = running.app.getHttpServer() as Server;
      await new Promise((resolve) => server.once('request', resolve));
      client.socket.destroy();
      expect((await loggedUntil(running.logged, REQUEST)).only()).toMatchObject({
        status: 499,
        level: 'warn',
        Path: '/orders/slow',
      });
    });

    it('has all bytes of pipelined requests', async () => {
      running.logged.clear();
      const client = await RawClient.to(running.port);
      client.send(head('GET', '/orders/1') + head('GET', '/orders/22') + head('GET', '/orders/3'));
      const events = [...(await loggedUntil(running.logged, REQUEST, 3))];
      client.socket.destroy();
      expect(events.map(({ Path, bytes }) => [Path, bytes])).toEqual([
        ['/orders/1', 10],
        ['/orders/22', 11],
        ['/orders/3', 10],
      ]);
    });
  });

  describe('what handlers log', () => {
    it('has the id of the request, and the name of an injected logger', async () => {
      const { event } = await running.ask('GET', '/orders');
      const { RequestId } = event;
      expect(running.logged.withTemplate('listing').only()).toMatchObject({
        RequestId,
        logger: 'orders',
      });
    });

    it('has it after a wait', async () => {
      const { event } = await running.ask('GET', '/orders/o-2');
      const { RequestId } = event;
      expect(running.logged.saying('found o-2').only()).toMatchObject({ RequestId });
    });

    it('has it after the body was read', async () => {
      const { event } = await running.ask('POST', '/orders', {
        body: JSON.stringify({ id: 'o-3', padding: 'x'.repeat(50_000) }),
        headers: { 'content-type': 'application/json' },
      });
      expect(event).toMatchObject({ status: 201, handler: 'OrdersController.create' });
      const { RequestId } = event;
      expect(running.logged.saying('created o-3').only()).toMatchObject({ RequestId });
    });

    it('has it after a body that came in parts', async () => {
      running.logged.clear();
      const client = await RawClient.to(running.port);
      const server = running.app.getHttpServer() as Server;
      const arrived = new Promise((resolve) => server.once('request', resolve));
      client.send(
        head('POST', '/orders', 'X-Request-Id: parts', 'Content-Type: application/json').trimEnd(),
        'Content-Length: 12',
        '',
        '{"id":',
      );
      await arrived;
      await new Promise((resolve) => setImmediate(resolve));
      client.send('"o-4"}');
      await loggedUntil(running.logged, REQUEST);
      client.socket.destroy();
      expect(running.logged.saying('created o-4').only()).toMatchObject({ RequestId: 'parts' });
    });

    it('has it with many requests at once, 10,000 in all', async () => {
      running.logged.clear();
      const one = async (i: number): Promise<void> => {
        const isPost = i % 2 === 0;
        await fetch(`http://127.0.0.1:${running.port}/orders${isPost ? '' : `/n-${i}`}`, {
          method: isPost ? 'POST' : 'GET',
          headers: { 'x-request-id': `id-n-${i}`, 'content-type': 'application/json' },
          ...(isPost ? { body: JSON.stringify({ id: `n-${i}` }) } : {}),
        }).then((response) => response.text());
      };
      for (let from = 0; from < 10_000; from += 200) {
        await Promise.all(Array.from({ length: 200 }, (_, i) => one(from + i)));
      }
      await loggedUntil(running.logged, REQUEST, 10_000);
      const inside = [
        ...running.logged.withTemplate('found {Id}'),
        ...running.logged.withTemplate('created {Id}'),
      ];
      expect(inside).toHaveLength(10_000);
      expect(inside.filter(({ Id, RequestId }) => RequestId !== `id-${String(Id)}`)).toEqual([]);
    }, 60_000);
  });

  describe('a failure', () => {
    it.each([
      ['a handler', '/failing/handler', 'handler broke'],
      ['a handler that has waited', '/failing/late', 'handler broke'],
      ['a guard', '/failing/guard', 'guard broke'],
      ['a pipe', '/failing/pipe/1', 'pipe broke'],
      ['an interceptor', '/failing/interceptor', 'interceptor broke'],
    ])('of %s is one panic, with its stack and cause', async (_where, path, said) => {
      const { event, response, body } = await running.ask('GET', path);
      expect(response.status).toBe(500);
      expect(body).not.toMatch(/broke|disk full|at /);
      const panic = running.logged.withTemplate(PANIC).only();
      expect(panic).toMatchObject({
        level: 'error',
        Panic: said,
        message: `panic recovered: ${said}`,
        error: `${said}: disk full`,
        stack: expect.stringMatching(/shop\.fixture.*\n(?:.*\n)*Caused by: Error: disk full\n/),
        RequestId: event['RequestId'],
      });
      expect(event).toMatchObject({ level: 'error', status: 500 });
      expect(event).not.toHaveProperty('error');
      expect([...running.logged].filter(({ stack }) => stack !== undefined)).toEqual([panic]);
    });

    it('that is no Error has the stack of where it was caught', async () => {
      const { event } = await running.ask('GET', '/failing/text');
      expect(event).not.toHaveProperty('error');
      expect(running.logged.withTemplate(PANIC).only()).toMatchObject({
        error: 'just a text',
        Panic: 'just a text',
        stack: expect.stringContaining('\n    at '),
      });
    });

    it.each([
      ['/failing/missing', 404, { cause: 'row 7 is gone' }],
      ['/failing/status', 404, {}],
      ['/failing/teapot', 418, {}],
    ])('on purpose (%s) keeps its status %i and is no error', async (path, status, expected) => {
      const { event, response } = await running.ask('GET', path);
      expect(response.status).toBe(status);
      expect(event).toMatchObject({ level: 'warn', status, ...expected });
      expect(event).not.toHaveProperty('error');
      expect(running.logged.count).toBe(1);
    });

    it.each(['/failing/unavailable', '/failing/unavailable-status'])(
      'on purpose of the server (%s) is told by the event of the request',
      async (path) => {
        const { event, response, body } = await running.ask('GET', path);
        expect(response.status).toBe(503);
        expect(body).not.toMatch(/no database/);
        expect(event).toMatchObject({
          level: 'error',
          status: 503,
          error: 'come back later: no database',
          stack: expect.stringContaining('Caused by: Error: no database'),
        });
        expect(running.logged.count).toBe(1);
      },
    );
  });
});
