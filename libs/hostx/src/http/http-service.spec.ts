import { once } from 'node:events';
import { createServer, get as httpGet, type Server } from 'node:http';
import { get as httpsGet } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Controller, Get, Module } from '@nestjs/common';
import { startHost } from '../testing/start-host.js';
import { Host } from '../host/host-builder.js';
import type { HttpHandler, HttpServiceOptions } from './http-options.js';
import { httpService } from './http-service.js';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';

const handler: HttpHandler = (_, response) => response.end('ok');
const loopback = { host: '127.0.0.1', drain: { delay: 0 } } as const;

function messageOf(error: unknown): string {
  return (error as Error).message;
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe('an HTTP service', () => {
  it('is ready once it accepts, on a port that the system picks, and has an address only then', async () => {
    const service = httpService({ ...loopback, handler });
    expect([service.name, service.addr]).toEqual(['http', '']);
    const { stop } = await startHost(Host.builder().addService(service));
    expect(service.addr).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    expect(await textOf(`http://${service.addr}/`)).toBe('ok');
    expect(await stop()).toBeUndefined();
    expect(service.addr).toBe('');
  });

  it('can be started again after it has stopped', async () => {
    const server = createServer(handler);
    server.on('upgrade', () => {}).on('connect', () => {});
    const listeners = (): unknown[] =>
      server.eventNames().map((event) => [event, server.listeners(event).length]);
    const before = listeners();
    const service = httpService({ ...loopback, server });
    for (let round = 0; round < 2; round++) {
      const controller = new AbortController();
      const ended = service.start(controller.signal);
      await service.ready();
      expect(await textOf(`http://${service.addr}/`)).toBe('ok');
      controller.abort();
      const deadline = deadlineAfter(5_000);
      await Promise.all([service.stop(deadline), ended]);
      deadline.dispose();
    }
    expect(listeners()).toEqual(before);
  });

  it('that is started again before it has ended is the new one', async () => {
    const service = httpService({ ...loopback, handler });
    const [old, young] = [new AbortController(), new AbortController()];
    const first = service.start(old.signal);
    await service.ready();
    old.abort();
    const second = service.start(young.signal);
    await Promise.all([first, service.ready()]);
    expect(await textOf(`http://${service.addr}/`)).toBe('ok');
    young.abort();
    await second;
    expect(service.addr).toBe('');
  });

  it('fails its stop with what beforeFarewell rejects with, and closes everything nevertheless', async () => {
    const beforeFarewell = (): Promise<void> => Promise.reject(new Error('sockets: lost'));
    const service = httpService({ ...loopback, handler, beforeFarewell });
    const { stop } = await startHost(Host.builder().addService(service));
    const { addr } = service;
    expect(messageOf(await stop())).toBe('hostx: service http: stop: sockets: lost');
    await expect(fetch(`http://${addr}/`)).rejects.toThrow();
  });

  it('takes a server that listens already, and one that withServer has changed', async () => {
    const server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let given: Server | undefined;
    const service = httpService({ ...loopback, server, withServer: (it) => (given = it) });
    await startHost(Host.builder().addService(service));
    expect(given).toBe(server);
    expect(service.addr).toBe(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  it('rejects ready() before it was started', async () => {
    await expect(httpService({ handler }).ready()).rejects.toThrow('has not been started');
  });

  it('ends, with the error, where its server fails', async () => {
    const server = createServer(handler);
    const service = httpService({ ...loopback, server });
    const ended = service.start(new AbortController().signal).catch(messageOf);
    await service.ready();
    server.emit('error', new Error('broken'));
    expect(await ended).toBe('hostx: http service http: broken');
  });

  it('stops where somebody else has closed its server during the delay', async () => {
    const server = createServer(handler);
    const service = httpService({ host: '127.0.0.1', server, drain: { delay: 50 } });
    const controller = new AbortController();
    const ended = service.start(controller.signal);
    await service.ready();
    controller.abort();
    const deadline = deadlineAfter(5_000);
    const stopped = service.stop(deadline);
    await new Promise((resolve) => setImmediate(resolve));
    server.close();
    await Promise.all([stopped, ended]);
    expect(deadline.remainingMs()).toBeGreaterThan(0);
    deadline.dispose();
  });

  it('serves HTTPS, and does not wait for connections without a handshake or a request', async () => {
    const service = httpService({ ...loopback, handler, tls: { key: KEY, cert: CERTIFICATE } });
    const { stop } = await startHost(Host.builder().addService(service));
    const port = Number(service.addr.split(':')[1]);
    const answer = await new Promise((resolve) =>
      httpsGet({ port, ca: CERTIFICATE, servername: 'localhost' }, (response) =>
        response.once('data', (data: Buffer) => resolve(String(data))),
      ),
    );
    expect(answer).toBe('ok');
    const raw = connect(port, '127.0.0.1').on('error', () => {});
    const shaken = connectTls({ port, ca: CERTIFICATE, servername: 'localhost' });
    shaken.on('error', () => {});
    const gone = [raw, shaken].map((s) => new Promise((resolve) => s.once('close', resolve)));
    await new Promise((resolve) => shaken.once('secureConnect', resolve));
    expect(await stop()).toBeUndefined();
    await Promise.all(gone);
  });
});

it('an HTTPS service serves nobody after another handshake on the same connection', async () => {
  const tls = { key: KEY, cert: CERTIFICATE };
  let served = 0;
  const counting: HttpHandler = (_, response) => response.end(String(++served));
  const service = httpService({ ...loopback, handler: counting, tls });
  const { stop } = await startHost(Host.builder().addService(service));
  const port = Number(service.addr.split(':')[1]);
  const options = {
    port,
    ca: CERTIFICATE,
    servername: 'localhost',
    maxVersion: 'TLSv1.2',
  } as const;
  const socket = connectTls(options).on('error', () => {});
  await once(socket, 'secureConnect');
  const ask = (): void => void socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  ask();
  await once(socket, 'data');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.renegotiate({}, () => ask());
  await closed;
  expect(served).toBe(1);
  expect(await stop()).toBeUndefined();
});

describe('a port that cannot be listened on', () => {
  it.each<[string, (taken: number) => HttpServiceOptions, RegExp]>([
    ['in use', (port) => ({ port, host: '127.0.0.1' }), /127\.0\.0\.1, port \d+ is in use; stop/],
    ['not ours', () => ({ port: 0, host: '192.0.2.1' }), /this machine does not have this address/],
    [
      'unknown',
      () => ({ port: 0, host: 'no.such.host.invalid' }),
      /the host name is unknown|cannot listen/,
    ],
  ])('%s is a clear error of start and ready', async (_, where, message) => {
    const other = createTcpServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const service = httpService({ ...where(port), name: 'web', handler });
    const failed = service.start(new AbortController().signal).catch(messageOf);
    await expect(service.ready()).rejects.toThrow(message);
    expect(await failed).toMatch(message);
    other.close();
  });
});

describe('wrong options', () => {
  it('are all named at once', () => {
    expect(() =>
      httpService({
        name: 'web',
        port: 70_000,
        maxHeaderSize: 0,
        timeouts: { headers: 'soon' },
        drain: { delay: -1 },
      }),
    ).toThrow(
      expect.objectContaining({
        name: 'HostError',
        message: expect.stringMatching(/^hostx: http service web: 5 mistakes:\n/),
        mistakes: [
          expect.stringMatching(/^timeouts\.headers: "soon" is not a valid duration/),
          'port: must be an integer from 0 to 65535, not 70000',
          'maxHeaderSize: must be an integer of at least 1, not 0',
          expect.stringMatching(/^drain\.delay: -1 is not a valid duration/),
          'set either handler or server',
        ],
      }),
    );
  });

  it('are those of a server that was made elsewhere', () => {
    const server = createServer();
    expect(() => httpService({ server, tls: {}, maxHeaderSize: 1 })).toThrow(
      /tls: cannot be combined with server.*maxHeaderSize: cannot be combined with server/s,
    );
    expect(() => httpService({ server, handler })).toThrow(
      'hostx: http service http: set either handler or server',
    );
  });
});

describe('timeouts', () => {
  const timeoutsOf = async (options: HttpServiceOptions): Promise<number[]> => {
    let found: number[] = [];
    const withServer = (s: Server): void => {
      found = [s.headersTimeout, s.requestTimeout, s.keepAliveTimeout];
    };
    const { stop } = await startHost(
      Host.builder().addService(httpService({ ...loopback, ...options, withServer })),
    );
    await stop();
    return found;
  };
  const chosen = createServer({
    headersTimeout: 1_000,
    requestTimeout: 2_000,
    keepAliveTimeout: 3_000,
  });

  it.each<[string, HttpServiceOptions, number[]]>([
    ['are safe by default', { handler }, [60_000, 300_000, 75_000]],
    [
      'are those of the options',
      { handler, timeouts: { headers: '5s', request: '1m', keepAlive: 0 } },
      [5_000, 60_000, 0],
    ],
    ['stay where a server has its own', { server: chosen }, [1_000, 2_000, 3_000]],
    [
      'are set where a server has no limit',
      { server: createServer({ headersTimeout: 0, requestTimeout: 0 }) },
      [60_000, 300_000, 75_000],
    ],
  ])('%s', async (_, options, expected) => {
    expect(await timeoutsOf(options)).toEqual(expected);
  });

  it('maxHeaderSize limits the headers of a request', async () => {
    const service = httpService({ ...loopback, handler, maxHeaderSize: 1_000 });
    await startHost(Host.builder().addService(service));
    const status = await new Promise((resolve) =>
      httpGet(`http://${service.addr}/`, { headers: { long: 'x'.repeat(2_000) } }, (response) =>
        resolve(response.resume().statusCode),
      ),
    );
    expect(status).toBe(431);
  });
});

@Controller()
class Hello {
  @Get() hello() {
    return 'hello';
  }
}
@Module({ controllers: [Hello] })
class HelloModule {}

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
])('the server of a Nest app on %s', (_, platform) => {
  it('listens on the address given, tells Nest so, and is closed before the app is', async () => {
    const { app, stop } = await startHost(HelloModule, platform());
    const url = await app!.getUrl();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await textOf(url)).toBe('hello');
    const server = app!.getHttpServer() as Server;
    expect(server.requestTimeout).toBe(300_000);
    expect(await stop()).toBeUndefined();
    expect(server.listening).toBe(false);
  });
});
