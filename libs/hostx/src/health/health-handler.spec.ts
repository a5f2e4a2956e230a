import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Host } from '../host/host-builder.js';
import { httpService } from '../http/http-service.js';
import { http2Client } from '../http/http2-client.fixture.js';
import { untilAborted } from '@apix/contracts/internal';
import { startHost } from '../testing/start-host.js';
import { checkerFunc } from './checker.js';
import { HealthRegistry } from './health-registry.js';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function probe(
  url: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, unknown]> {
  const response = await fetch(url, { method, headers: { connection: 'close', ...headers } });
  const text = await response.text();
  return [response.status, text === '' ? '' : (JSON.parse(text) as unknown)];
}

const db = checkerFunc('db', () => {
  throw new Error('db-7.internal refused root');
});

describe('the health handlers', () => {
  it('answer 200 and ok when well, 503 and unhealthy when not, as JSON nobody keeps', async () => {
    const registry = new HealthRegistry({ checks: [checkerFunc('disk', () => {})] });
    const url = await serve(registry.handler());
    const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ status: 'ok', checks: { disk: 'ok' } });
    expect(await probe(`${url}/readyz`)).toEqual([
      503,
      { status: 'unhealthy', checks: { ready: 'not ready', disk: 'ok' } },
    ]);
    registry.setReady(true);
    registry.add(db);
    expect(await probe(`${url}/healthz`)).toEqual([
      503,
      { status: 'unhealthy', checks: { disk: 'ok', db: 'db-7.internal refused root' } },
    ]);
  });

  it.each([
    ['application/json;q=0', ''],
    ['*/*;q=0', ''],
    ['text/plain, */*;q=0.1', { status: 'ok', checks: {} }],
    ['text/plain', { status: 'ok', checks: {} }],
  ])(
    'say the status in any case, and the rest unless refused, to the Accept %s',
    async (accept, body) => {
      const url = await serve(new HealthRegistry().handler());
      expect(await probe(`${url}/healthz`, 'GET', { accept })).toEqual([200, body]);
    },
  );

  it('answer over HTTP/2 as over HTTP/1', async () => {
    const registry = new HealthRegistry({ checks: [checkerFunc('disk', () => {})] });
    const service = httpService({
      host: '127.0.0.1',
      http2: true,
      drain: { delay: 0 },
      handler: registry.handler(),
    });
    const { stop } = await startHost(Host.builder().addService(service));
    const client = await http2Client(`http://127.0.0.1:${service.addr.split(':').at(-1)}`);
    expect(await client.ask('/healthz')).toEqual({
      status: 200,
      body: '{"status":"ok","checks":{"disk":"ok"}}',
    });
    const unready = await client.ask('/readyz');
    expect([unready.status, JSON.parse(unready.body)]).toEqual([
      503,
      { status: 'unhealthy', checks: { ready: 'not ready', disk: 'ok' } },
    ]);
    expect(await client.ask('/healthz', { ':method': 'HEAD' })).toEqual({ status: 200, body: '' });
    expect(await stop()).toBeUndefined();
    await client.closed;
  });

  it.each([
    ['GET', '/healthz?verbose=1', 200],
    ['GET', '/readyz', 503],
    ['GET', '/startupz', 503],
    ['GET', '/healthz/', 404],
    ['GET', '/other', 404],
    ['POST', '/healthz', 405],
  ])('answer %s %s with %d', async (method, path, status) => {
    const url = await serve(new HealthRegistry().handler());
    const response = await fetch(url + path, { method, headers: { connection: 'close' } });
    await response.text();
    expect(response.status).toBe(status);
  });

  it('answer HEAD without a body', async () => {
    const url = await serve(new HealthRegistry().handler());
    expect(await probe(`${url}/readyz`, 'HEAD')).toEqual([503, '']);
  });

  it('serve the paths they are given, and those alone', async () => {
    const registry = new HealthRegistry();
    const url = await serve(
      registry.handler({ livePath: '/live', readyPath: '/ready', startupPath: '/started' }),
    );
    const statuses = await Promise.all(
      ['/live', '/ready', '/started', '/healthz'].map((path) =>
        fetch(url + path, { headers: { connection: 'close' } }).then(({ status }) => status),
      ),
    );
    expect(statuses).toEqual([200, 503, 503, 404]);
  });

  it('serve one endpoint each, at any path', async () => {
    const registry = new HealthRegistry();
    const live = await serve(registry.liveHandler());
    const ready = await serve(registry.readyHandler());
    const startup = await serve(registry.startupHandler());
    const statuses = await Promise.all([live, ready, startup].map((url) => probe(`${url}/any`)));
    expect(statuses.map(([status]) => status)).toEqual([200, 503, 503]);
  });

  it('pass on what is not theirs', async () => {
    const handler = new HealthRegistry().handler();
    const url = await serve((request, response) =>
      handler(request, response, () => response.end('"next"')),
    );
    expect(await probe(`${url}/orders`)).toEqual([200, 'next']);
    expect(await probe(`${url}/healthz`, 'DELETE')).toEqual([200, 'next']);
  });

  it.each<[string, boolean | ((request: { headers: object }) => boolean)]>([
    ['never', false],
    ['to a stranger', ({ headers }) => 'x-operator' in headers],
    [
      'when the decision fails',
      () => {
        throw new Error('no');
      },
    ],
    ['when the decision is a promise', (async () => true) as unknown as () => boolean],
  ])('tell no details %s', async (_, details) => {
    const url = await serve(new HealthRegistry({ checks: [db] }).liveHandler({ details }));
    expect(await probe(url)).toEqual([503, { status: 'unhealthy', checks: {} }]);
  });

  it('tell details to whom the option lets see them', async () => {
    const details = ({ headers }: { headers: object }) => 'x-operator' in headers;
    const url = await serve(new HealthRegistry({ checks: [db] }).liveHandler({ details }));
    expect((await probe(url, 'GET', { 'x-operator': '1' }))[1]).toEqual({
      status: 'unhealthy',
      checks: { db: 'db-7.internal refused root' },
    });
  });
});

describe('health bound to a host', () => {
  it('is ready once everything has started, and unready before anything stops', async () => {
    const registry = new HealthRegistry();
    const admin = httpService({
      name: 'admin',
      host: '127.0.0.1',
      handler: registry.handler(),
      drain: { delay: 0 },
    });
    const seen: [string, unknown][] = [];
    const look = async (when: string): Promise<void> => {
      const [status, body] = await probe(`http://${admin.addr}/readyz`);
      seen.push([`${when} ${status}`, (body as { checks: unknown }).checks]);
    };
    const builder = Host.builder()
      .withEnvironment('Test')
      .addService(admin)
      .addService({ name: 'worker', start: untilAborted, stop: () => look('while stopping') })
      .onStarted(() => look('in a started hook'))
      .onStopping(() => look('in a stopping hook'));
    registry.bind(builder);
    const { stop } = await startHost(builder);
    await look('running');
    expect(await stop()).toBeUndefined();
    expect(seen).toEqual([
      [
        'in a started hook 503',
        { ready: 'not ready', 'service admin': 'ok', 'service worker': 'ok' },
      ],
      ['running 200', { 'service admin': 'ok', 'service worker': 'ok' }],
      [
        'in a stopping hook 503',
        { ready: 'not ready', 'service admin': 'ok', 'service worker': 'ok' },
      ],
      [
        'while stopping 503',
        { ready: 'not ready', 'service admin': 'ok', 'service worker': 'stopping' },
      ],
    ]);
  });

  it('is unready, but never dead, while a service is in backoff', async () => {
    const registry = new HealthRegistry();
    let fail = (_error: Error): void => {};
    const builder = Host.builder()
      .withEnvironment('Test')
      .addService(
        {
          name: 'outbox',
          start: (signal) =>
            Promise.race([
              untilAborted(signal),
              new Promise<never>((_, reject) => (fail = reject)),
            ]),
        },
        { restart: { initialDelay: '1h', maxDelay: '1h' } },
      );
    registry.bind(builder);
    const restarting = new Promise<void>((resolve) =>
      builder.withObserver({ serviceRestarting: () => resolve() }),
    );
    await startHost(builder);
    expect((await registry.ready()).status).toBe('ok');
    fail(new Error('queue lost'));
    await restarting;
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { 'service outbox': 'restarting: hostx: service outbox: queue lost' },
    });
    expect(await registry.live()).toEqual({ status: 'ok', checks: {} });
    expect((await registry.startup()).status).toBe('ok');
  });
});
