import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { METRIC_SOURCE, type MetricReading } from '@apix/contracts';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { Host } from '../host/host-builder.js';
import { startHost } from '../testing/start-host.js';
import { Gate } from './http-site.fixture.js';
import { http2Client } from './http2-client.fixture.js';
import { httpService } from './http-service.js';

const tls = { cert: CERTIFICATE, key: KEY };
let gate = new Gate();
afterEach(() => gate.open());

/** `<protocol> <connections>/<requests>`, as the host tells them. */
function shown(readings: Iterable<MetricReading>): string[] {
  const all = [...readings].filter(({ attributes }) => attributes?.['protocol'] !== undefined);
  const values = (name: string, protocol: string): (number | undefined)[] =>
    all
      .filter((one) => one.name === name && one.attributes?.['protocol'] === protocol)
      .map(({ value }) => value);
  return [...new Set(all.map(({ attributes }) => attributes!['protocol']!))]
    .toSorted()
    .map((protocol) => {
      const [connections, ...no] = values('hostx.http.connections', protocol);
      const [requests, ...more] = values('hostx.http.requests.running', protocol);
      return [`${protocol} ${connections}/${requests}`, ...no, ...more].join(' ');
    });
}

describe.each([
  ['without TLS', {}],
  ['over TLS', { tls }],
])('the figures of an HTTP service %s', (_, options) => {
  it('are its connections and the requests on them, by protocol, and are the host’s', async () => {
    gate = new Gate();
    const isTls = 'tls' in options;
    const web = httpService({
      name: 'web',
      host: '127.0.0.1',
      http2: true,
      drain: { delay: 0 },
      handler: async (request, response) => {
        if (request.url === '/slow') await gate.pass();
        response.end('ok');
      },
      ...options,
    });
    expect([...web.metrics()]).toEqual([]);
    const { host, stop } = await startHost(Host.builder().addService(web));
    const port = Number(web.addr.split(':').at(-1));
    const client = await http2Client(`${isTls ? 'https' : 'http'}://localhost:${port}`);
    const slow = [client.ask('/slow'), client.ask('/slow')];
    await gate.entered;
    await until(() => shown(host.metrics()).includes('http/2 1/2'));
    const old = isTls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    old.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(old, 'data');
    await until(() => shown(host.metrics()).includes('http/1.1 1/0'));
    expect(shown(host.metrics())).toEqual(['http/1.1 1/0', 'http/2 1/2']);
    expect([...host.metrics()].map(({ attributes }) => attributes?.['service'])).toContain('web');
    gate.open();
    await Promise.all(slow);
    await until(() => shown(host.metrics()).includes('http/2 1/0'));
    old.destroy();
    client.session.close();
    await until(() => shown(host.metrics()).length === 0);
    expect(await stop()).toBeUndefined();
    expect([...web.metrics()]).toEqual([]);
  });
});

it('a connection that was upgraded is a figure of its own', async () => {
  const server = createServer();
  server.on('upgrade', (_request, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n',
    );
    socket.pipe(socket);
  });
  const web = httpService({ name: 'web', host: '127.0.0.1', server, drain: { delay: 0 } });
  const { host, stop } = await startHost(Host.builder().addService(web));
  const client = connect(Number(web.addr.split(':').at(-1)), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n');
  await once(client, 'data');
  expect(shown(host.metrics())).toEqual(['upgraded 1/0']);
  client.destroy();
  await until(() => shown(host.metrics()).length === 0);
  await stop();
});

describe('the figures of a host', () => {
  it('leave out those of a metric source, and of a service that throws, which is logged once', async () => {
    const lines: string[] = [];
    const reading = { name: 'x', kind: 'gauge', value: 1, description: 'x' } as const;
    const start = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    const found = {
      name: 'found',
      start,
      metrics: () => [{ ...reading, name: 'twice' }],
      [METRIC_SOURCE]: true,
    };
    const { host } = await startHost(
      Host.builder()
        .withLogger({
          information: () => {},
          warning: () => {},
          error: (error, template, ...args) =>
            void lines.push(`${template} ${args.join()}: ${(error as Error).message}`),
        })
        .addService({
          name: 'bad',
          start,
          metrics: () => {
            throw new Error('boom');
          },
        })
        .addService({ name: 'own', start, metrics: () => [reading] })
        .addService(found),
    );
    [...host.metrics()].forEach(() => {});
    const rest = [...host.metrics()].filter(({ name }) => !name.endsWith('restarts'));
    expect(rest.map(({ name, attributes }) => [name, attributes?.['service']])).toEqual([
      ['hostx.host.up', undefined],
      ['hostx.service.metrics.failed', 'bad'],
      ['x', undefined],
    ]);
    expect(lines).toEqual(['Metrics of service {Service} cannot be read bad: boom']);
  });
});
