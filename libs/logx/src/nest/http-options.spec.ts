import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { HttpLogOptions } from '../http/http-options.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

describe.each(PLATFORMS)('on %s', (_name, platform) => {
  let running: Running;
  afterEach(() => running.app.close());

  it('header, field, idGenerator and startLog are taken', async () => {
    const http = { header: 'X-Trace', field: 'Trace', idGenerator: () => 'made', startLog: true };
    running = await start(platform, { http });
    const { event, response } = await running.ask('GET', '/orders');
    expect(response.headers.get('x-trace')).toBe('made');
    expect(event).toMatchObject({ Trace: 'made' });
    expect(running.logged.messages).toEqual(['--> GET /orders', 'listing', 'GET /orders -> 200']);
    expect([...running.logged].map(({ Trace }) => Trace)).toEqual(['made', 'made', 'made']);
  });

  it.each<[string, HttpLogOptions, string[]]>([
    ['leaves out marked endpoints', { skipProbes: true }, ['listing', 'GET /orders -> 200']],
    ['leaves out the paths that it lists too', { skipProbes: ['/orders'] }, ['listing']],
    ['leaves out nothing by default', {}, ['GET /healthz -> 200', 'listing', 'GET /orders -> 200']],
  ])('skipProbes %s', async (_what, http, expected) => {
    running = await start(platform, { http });
    for (const path of ['/healthz', '/orders', '/nowhere']) {
      await fetch(`http://127.0.0.1:${running.port}${path}`).then((answer) => answer.text());
    }
    while (running.logged.last()?.message !== 'GET /nowhere -> 404') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(running.logged.messages).toEqual([...expected, 'GET /nowhere -> 404']);
  });

  it('skip is asked with the raw request', async () => {
    running = await start(platform, { http: { skip: ({ url }) => url === '/orders?quiet' } });
    await fetch(`http://127.0.0.1:${running.port}/orders?quiet`);
    await running.ask('GET', '/nowhere');
    expect(running.logged.withTemplate(REQUEST).only()).toMatchObject({ Path: '/nowhere' });
  });

  it('http: false leaves requests alone', async () => {
    running = await start(platform, { http: false });
    const { headers } = await fetch(`http://127.0.0.1:${running.port}/orders`);
    expect(headers.has('x-request-id')).toBe(false);
    expect(running.logged.messages).toEqual(['listing']);
    expect(running.logged.first()).not.toHaveProperty('RequestId');
  });
});

describe('requests that do not come through the server of Nest', () => {
  it.each<[string, (instance: unknown) => RequestListener]>([
    ['Express', (instance) => instance as RequestListener],
    ['Fastify', (instance) => (instance as FastifyInstance).routing.bind(instance)],
  ])('but to the instance of %s are logged', async (name, listenerOf) => {
    const [, platform] = PLATFORMS.find(([known]) => known === name)!;
    const { app, logged } = await start(platform);
    const server = createServer(listenerOf(app.getHttpAdapter().getInstance()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/orders/o-1`);
    const RequestId = headers.get('x-request-id');
    expect((await loggedUntil(logged, REQUEST)).only()).toMatchObject({ RequestId, bytes: 12 });
    expect(logged.saying('found o-1').only()).toMatchObject({ RequestId });
    server.close();
    await app.close();
  });
});
