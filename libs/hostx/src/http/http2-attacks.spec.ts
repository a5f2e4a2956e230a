import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  PREFACE,
  frame,
  numberFrame,
} from '../../../../tools/testing/http2-frames.js';
import { headerBlock } from '../../../../tools/testing/http2-header-block.js';
import { RawHttp2 } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import type { HttpServiceOptions } from './http-options.js';
import { type HttpService, httpService } from './http-service.js';
import { http2Client } from './http2-client.fixture.js';

const tls = { cert: CERTIFICATE, key: KEY };
const PROTOCOL_ERROR = 1;
/** What makes a server of HTTP/2 reset streams by itself has to end long before. */
const MANY = 5_000;

let service: HttpService;
let clock: FakeClock;
let port: number;
let stop: () => Promise<string>;
let handled: string[];
let sockets: Socket[] = [];

async function serve(options: Partial<HttpServiceOptions> = {}): Promise<void> {
  handled = [];
  clock = fakeClock();
  service = httpService({
    host: '127.0.0.1',
    http2: true,
    clock,
    drain: { delay: 0 },
    handler(request: IncomingMessage, response: ServerResponse) {
      handled.push(request.url!);
      request.resume();
      if (request.url !== '/never') response.end('ok');
    },
    ...options,
  });
  const controller = new AbortController();
  const ended = service.start(controller.signal);
  await service.ready();
  port = Number(service.addr.split(':').at(-1));
  stop = async () => {
    controller.abort();
    const stopped = service.stop(deadlineAfter(30_000, clock)).then(
      () => 'clean',
      (error: Error) => error.message,
    );
    await Promise.allSettled([stopped, ended]);
    return stopped;
  };
}

/** Lets the time of a stop go by in small steps, as long as it takes. */
async function stopped(): Promise<string> {
  let said: string | null = null;
  void stop().then((outcome) => (said = outcome));
  for (;;) {
    if (said !== null) return said;
    await clock.advance(50);
  }
}

afterEach(async () => {
  await stopped();
  for (const socket of sockets.splice(0)) socket.destroy();
});

function opened(socket: Socket): Socket {
  socket.on('error', () => {});
  socket.resume();
  sockets.push(socket);
  return socket;
}

/** A connection of HTTP/2 whose client does not close its side when the server does. */
async function deafClient(isTls: boolean): Promise<{ socket: Socket; told: Promise<unknown> }> {
  const options = { port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = opened(
    isTls
      ? connectTls({ ...options, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      : connect(options),
  );
  socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0), get(1)]));
  await until(() => handled.length === 1);
  return { socket, told: once(socket, 'end') };
}

const get = (stream: number, more: Readonly<Record<string, string>> = {}): Buffer =>
  frame(
    FRAME.headers,
    END_HEADERS | END_STREAM,
    stream,
    headerBlock(
      Object.entries({
        ':method': 'GET',
        ':scheme': 'http',
        ':path': '/',
        ':authority': 'localhost',
        ...more,
      }),
    ),
  );

async function othersAreServed(): Promise<void> {
  const client = await http2Client(`http://127.0.0.1:${port}`);
  expect(await client.ask('/other')).toEqual({ status: 200, body: 'ok' });
  client.session.close();
}

describe.each([
  ['h2c', {}],
  ['TLS', { tls }],
])('a client of HTTP/2 over %s that never closes its side', (_, options) => {
  it('does not hold the drain', async () => {
    await serve(options);
    await deafClient('tls' in options);
    expect(await stopped()).toBe('clean');
  });

  it('is cut off a second after its session was idle for too long', async () => {
    await serve({ ...options, timeouts: { keepAlive: '10s' } });
    const { told } = await deafClient('tls' in options);
    await until(() => [...service.metrics()].some(({ value }) => value === 1));
    // The stream has ended once the answer has been sent.
    await until(() => running() === 0);
    await clock.advance(10_000);
    await told;
    await clock.advance(999);
    expect(connections()).toBe(1);
    await clock.advance(1);
    await until(() => connections() === 0);
  });
});

const figure = (name: string): number =>
  [...service.metrics()].reduce((sum, one) => sum + (one.name === name ? one.value : 0), 0);
const connections = (): number => figure('hostx.http.connections');
const running = (): number => figure('hostx.http.requests.running');

describe('the drain', () => {
  it('does not wait for a client that has sent half of a TLS handshake', async () => {
    await serve({ tls });
    const client = opened(connect(port, '127.0.0.1'));
    // The head of a record that announces 512 bytes of a ClientHello.
    client.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252]));
    await until(() => connections() === 1);
    await arrived();
    expect(await stopped()).toBe('clean');
  });

  it('serves what its client asked before it said GOAWAY itself, and no more', async () => {
    await serve();
    const client = await RawHttp2.open(port);
    sockets.push(client.socket);
    await client.write(get(1), frame(FRAME.goaway, 0, 0, Buffer.alloc(8)), get(3));
    expect((await client.outcome(1))?.received).toBe(2);
    expect(await stopped()).toBe('clean');
    expect(handled).toEqual(['/']);
  });
});

describe('a client that sends headers without end', () => {
  it('is cut off after the headers timeout, whether it closes its side or not', async () => {
    await serve({ timeouts: { headers: '4s' } });
    const socket = opened(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
    const open = frame(FRAME.headers, 0, 1, headerBlock([[':method', 'GET']]));
    socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0), open]));
    await until(() => connections() === 1);
    await arrived();
    await clock.advance(4_999);
    expect(connections()).toBe(1);
    await clock.advance(1);
    await until(() => connections() === 0);
    expect(handled).toEqual([]);
  });
});

describe('a client that makes the server reset its streams', () => {
  it.each<[string, (stream: number) => Buffer]>([
    ['a window of 0', (stream) => numberFrame(FRAME.windowUpdate, stream, 0)],
    ['a window beyond 2^31', (stream) => numberFrame(FRAME.windowUpdate, stream, 0x7fffffff)],
    ['DATA after the end', (stream) => frame(FRAME.data, 0, stream, Buffer.alloc(1))],
    ['HEADERS after the end', (stream) => get(stream)],
  ])('is told to go: %s', async (_, fault) => {
    await serve();
    const client = await RawHttp2.open(port);
    sockets.push(client.socket);
    for (let at = 0; at < MANY && client.goaway === undefined; at += 100) {
      const streams = Array.from({ length: 100 }, (_, more) => (at + more) * 2 + 1);
      await client.write(...streams.flatMap((stream) => [get(stream), fault(stream)]));
    }
    await until(() => client.goaway !== undefined || client.socket.destroyed);
    expect(handled.length).toBeLessThan(MANY);
    await othersAreServed();
  });
});

describe('a request of HTTP/2', () => {
  it.each<[string, Record<string, string>]>([
    ['transfer-encoding', { 'transfer-encoding': 'chunked' }],
    ['connection', { connection: 'upgrade' }],
    ['upgrade', { upgrade: 'h2c' }],
    ['a content-length that is a lie', { 'content-length': '10' }],
    ['no path', { ':path': '' }],
    ['a path without a slash', { ':path': 'x' }],
    ['a line break in its path', { ':path': '/a\r\nb' }],
    ['a space in its path', { ':path': '/a HTTP/1.1' }],
    ['a space in its method', { ':method': 'GE T' }],
    ['capitals in the name of a header', { Abc: 'b' }],
  ])('is refused with %s', async (_, more) => {
    await serve();
    const client = await RawHttp2.open(port);
    sockets.push(client.socket);
    await client.write(get(1, more));
    expect((await client.outcome(1))?.reset).toBe(PROTOCOL_ERROR);
    expect(handled).toEqual([]);
    await othersAreServed();
  });
});

describe('HTTP/1 on a port that has HTTP/2', () => {
  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['no protocol', undefined, ['/x', '/other']],
    ['http/1.1 alone', ['http/1.1'], ['/x', '/other']],
    ['one that is not there', ['foo'], ['/other']],
  ])('is spoken over TLS where the client offers %s', async (_, protocols, expected) => {
    await serve({ tls });
    const offered = protocols && { ALPNProtocols: [...protocols] };
    const socket = opened(
      connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...offered }),
    );
    const closed = once(socket, 'close').catch(() => {});
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await closed;
    const client = await http2Client(`https://localhost:${port}`);
    await client.ask('/other');
    client.session.close();
    expect(handled).toEqual(expected);
  });

  it.each(['GET /x HTTP/1.1\r\nHost: a\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])(
    'is not served without TLS on a port of TLS: %j',
    async (text) => {
      await serve({ tls });
      const socket = opened(connect(port, '127.0.0.1'));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(text);
      await closed;
      expect(handled).toEqual([]);
    },
  );

  it('becomes HTTP/2 by no upgrade: what follows reaches no handler', async () => {
    await serve();
    const socket = opened(connect(port, '127.0.0.1'));
    let said = '';
    socket.on('data', (data: Buffer) => (said += data.toString('latin1')));
    socket.write(
      'GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n' +
        'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
    );
    await until(() => said.endsWith('ok'));
    expect(said).toMatch(/^HTTP\/1\.1 200 OK/);
    const second = get(3, { ':path': '/second' });
    socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0), second]));
    await othersAreServed();
    await arrived();
    expect(handled).toEqual(['/first', '/other']);
  });
});

describe('many idle sessions', () => {
  it('are all closed when they have been idle for too long, those without a request too', async () => {
    await serve({ timeouts: { keepAlive: '10s', headers: '10s' } });
    const clients = await Promise.all(
      Array.from({ length: 200 }, () => http2Client(`http://127.0.0.1:${port}`)),
    );
    await Promise.all(clients.slice(100).map((client) => client.ask('/')));
    await until(() => connections() === 200 && running() === 0);
    await clock.advance(10_000);
    await Promise.all(clients.map(({ closed }) => closed));
    await until(() => connections() === 0);
  });
});

/** Long enough for what was sent over loopback to have been read; whatever is later, is so on any day. */
async function arrived(): Promise<void> {
  const client = opened(connect(port, '127.0.0.1'));
  await once(client, 'connect');
  client.destroy();
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
