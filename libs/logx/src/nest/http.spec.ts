import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { head, RawClient } from '../http/raw-client.fixture.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { PANIC, PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

describe.each(PLATFORMS)('on %s', (_name, platform) => {
  let running: Running;

  beforeAll(async () => {
    running = await start(platform, { prepare: (app) => app.enableCors() });
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
      const clients = await Promise.all(
        Array.from({ length: 20 }, () => RawClient.to(running.port)),
      );
      clients.forEach((client, c) => {
        for (let i = 0; i < 500; i++)
          client.send(i % 2 === 0 ? post(`n-${c}-${i}`) : get(`n-${c}-${i}`));
      });
      await loggedUntil(running.logged, REQUEST, 10_000);
      for (const { socket } of clients) socket.destroy();
      const inside = [
        ...running.logged.withTemplate('found {Id}'),
        ...running.logged.withTemplate('created {Id}'),
      ];
      expect(inside).toHaveLength(10_000);
      expect(inside.filter(({ Id, RequestId }) => RequestId !== `id-${String(Id)}`)).toEqual([]);
    });
  });
});

function get(id: string): string {
  return head('GET', `/orders/${id}`, `X-Request-Id: id-${id}`);
}

function post(id: string): string {
  const body = JSON.stringify({ id });
  const headers = [`X-Request-Id: id-${id}`, 'Content-Type: application/json'];
  return head('POST', '/orders', ...headers, `Content-Length: ${body.length}`) + body;
}
