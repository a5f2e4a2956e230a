import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Deadline, deadlineAfter } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { Gate } from './http-site.fixture.js';
import type { HttpServiceOptions } from './http-options.js';
import { type HttpService, httpService } from './http-service.js';
import { answerOf, http2Client } from './http2-client.fixture.js';
import { get, rawClient } from './raw-client.fixture.js';

const curl = promisify(execFile);
const tls = { cert: CERTIFICATE, key: KEY };
let cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

interface Started {
  readonly service: HttpService;
  readonly port: number;
  readonly url: string;
  readonly clock: FakeClock;
  readonly gate: Gate;
  readonly ended: Promise<void>;
  readonly deadline: (ms: number) => Deadline;
  readonly stop: (ms?: number) => Promise<void>;
}

async function started(options: Partial<HttpServiceOptions> = {}): Promise<Started> {
  const gate = new Gate();
  const clock = fakeClock();
  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith('/slow') === true) await gate.pass();
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      return;
    }
    if (request.url === '/big') return void response.end('x'.repeat(3_000_000));
    let body = '';
    for await (const part of request) body += String(part);
    response.end(`${request.httpVersion} ${request.method} ${request.url} ${body}`);
  };
  const service = httpService({
    port: 0,
    host: '127.0.0.1',
    handler,
    http2: true,
    clock,
    drain: { delay: 0 },
    ...options,
  });
  const controller = new AbortController();
  const ended = service.start(controller.signal);
  await service.ready();
  const deadline = (ms: number): Deadline => deadlineAfter(ms, clock);
  const stop = async (ms = 30_000): Promise<void> => {
    controller.abort();
    await Promise.all([service.stop(deadline(ms)), ended]);
  };
  cleanUp.push(() => {
    gate.open();
    return Promise.race([stop(0).catch(() => {}), clock.advance(60_000)]);
  });
  const port = Number(service.addr.split(':').at(-1));
  const url = `${options.tls === undefined ? 'http' : 'https'}://localhost:${port}`;
  return { service, port, url, clock, gate, ended, deadline, stop };
}

const ways: [string, Partial<HttpServiceOptions>][] = [
  ['h2c', {}],
  ['TLS', { tls }],
];

describe.each(ways)('httpService with HTTP/2 over %s', (_, options) => {
  it('serves HTTP/2 and HTTP/1 on one port', async () => {
    const { url } = await started(options);
    const client = await http2Client(url);
    expect(await client.ask('/a', { ':method': 'POST' }, 'body')).toEqual({
      status: 200,
      body: '2.0 POST /a body',
    });
    client.session.close();
    const { stdout } = await curl('curl', ['-sk', '--http1.1', '-d', 'body', `${url}/b`]);
    expect(stdout).toBe('1.1 POST /b body');
  });

  it('serves curl over HTTP/2', async () => {
    const { url } = await started(options);
    const flag = options.tls === undefined ? '--http2-prior-knowledge' : '--http2';
    const { stdout } = await curl('curl', ['-sk', flag, '-w', ' %{http_version}', `${url}/a`]);
    expect(stdout).toBe('2.0 GET /a  2');
  });

  it('lets streams under way finish, tells of the end by GOAWAY and closes', async () => {
    const { url, gate, stop } = await started(options);
    const client = await http2Client(url);
    const upload = client.begin('/up', { ':method': 'POST' });
    const uploaded = answerOf(upload);
    upload.write('first,');
    const slow = client.ask('/slow');
    await gate.entered;
    const stopped = stop();
    await until(() => client.goaways.length > 0);
    expect(client.goaways[0]).toEqual({ code: 0, lastStream: 3 });
    gate.open();
    upload.end('last');
    expect(await slow).toEqual({ status: 200, body: '2.0 GET /slow ' });
    expect(await uploaded).toEqual({ status: 200, body: '2.0 POST /up first,last' });
    await client.closed;
    await stopped;
  });

  it('serves sessions on, new ones too, while the delay lasts', async () => {
    const { url, clock, stop } = await started({ ...options, drain: { delay: '5s' } });
    const client = await http2Client(url);
    await client.ask('/a');
    const stopped = stop();
    await clock.advance(4_999);
    expect((await client.ask('/b')).status).toBe(200);
    const another = await http2Client(url);
    expect((await another.ask('/c')).status).toBe(200);
    expect(client.goaways).toEqual([]);
    await clock.advance(1);
    await Promise.all([client.closed, another.closed, stopped]);
    expect(client.goaways[0]).toEqual({ code: 0, lastStream: 3 });
  });

  it('closes idle sessions, also those without any request', async () => {
    const { url, stop } = await started(options);
    const used = await http2Client(url);
    await used.ask('/a');
    const unused = await http2Client(url);
    await Promise.all([stop(), used.closed, unused.closed]);
    expect(unused.goaways[0]).toEqual({ code: 0, lastStream: 0 });
  });

  it('ends streams of server-sent events', async () => {
    const { url, stop } = await started(options);
    const client = await http2Client(url);
    const events = answerOf(client.begin('/events').end());
    await client.ask('/a');
    const stopped = stop();
    expect(await events).toEqual({ status: 200, body: 'data: first\n\n' });
    await stopped;
  });

  it('closes forcefully at the deadline, and names what was under way', async () => {
    const { url, clock, service, deadline, gate } = await started(options);
    const client = await http2Client(url);
    const slow = client.ask('/slow?token=secret').catch(() => 'reset');
    await gate.entered;
    const stopped = service.stop(deadline(8_000)).catch((error: Error) => error.message);
    await clock.advance(8_000);
    expect(await stopped).toMatch(
      /graceful shutdown timed out after 8000 ms with \d connections open and requests under way: GET \/slow$/,
    );
    expect(await slow).not.toMatchObject({ status: 200 });
    await client.closed;
  });

  it('answers 408 where the body does not come within the request timeout', async () => {
    const { url, clock } = await started({ ...options, timeouts: { request: '3s' } });
    const client = await http2Client(url);
    const upload = client.begin('/up', { ':method': 'POST' });
    const uploaded = answerOf(upload);
    upload.write('first');
    await client.ask('/a');
    await clock.advance(2_999);
    expect((await client.ask('/b')).status).toBe(200);
    await clock.advance(1);
    expect((await uploaded).status).toBe(408);
    expect((await client.ask('/c')).status).toBe(200);
  });

  it('lets a handler take its time over a body that has come', async () => {
    const { url, clock, gate } = await started({ ...options, timeouts: { request: '3s' } });
    const client = await http2Client(url);
    const slow = client.ask('/slow', { ':method': 'POST' }, 'all of it');
    await gate.entered;
    // What is asked later on the same connection is answered after the end of the body has come.
    await client.ask('/a');
    await clock.advance(3_000);
    gate.open();
    expect(await slow).toEqual({ status: 200, body: '2.0 POST /slow all of it' });
  });

  it('closes a session that is idle for longer than keepAlive, and no busy one', async () => {
    const { url, clock, gate } = await started({ ...options, timeouts: { keepAlive: '10s' } });
    const idle = await http2Client(url);
    await idle.ask('/a');
    const busy = await http2Client(url);
    const slow = busy.ask('/slow');
    await gate.entered;
    await clock.advance(9_999);
    expect(idle.session.closed).toBe(false);
    await clock.advance(1);
    await idle.closed;
    gate.open();
    expect((await slow).status).toBe(200);
  });

  it('closes a connection that says nothing within the headers timeout', async () => {
    const { port, clock } = await started({ ...options, timeouts: { headers: '4s' } });
    const socket =
      options.tls === undefined
        ? connectTcp(port, '127.0.0.1')
        : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket.on('error', () => {});
    await once(socket, options.tls === undefined ? 'connect' : 'secureConnect');
    const closed = once(socket, 'close');
    await turns();
    await clock.advance(4_000);
    socket.resume();
    await closed;
  });

  it('keeps a slow reader until it has read all', async () => {
    const { url, stop } = await started(options);
    const client = await http2Client(url);
    const stream = client.begin('/big').end();
    await once(stream, 'response');
    const stopped = stop();
    await until(() => client.goaways.length > 0);
    const { body } = await answerOf(stream);
    expect(body).toHaveLength(3_000_000);
    await stopped;
  });
});

describe('HTTP/2 without TLS', () => {
  it('knows a preface that comes byte by byte', async () => {
    const { port, stop } = await started();
    const client = await rawClient(port);
    for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') {
      client.send(byte);
      await turns(2);
    }
    client.send('\0\0\0\x04\0\0\0\0\0');
    // The server's SETTINGS and its ACK of ours.
    await client.received('\0\0\0\x04\x01\0\0\0\0');
    client.socket.destroy();
    await stop();
  });

  it.each(['P', 'PR', 'PO'])(
    'serves HTTP/1 that begins with %s in a packet of its own',
    async (start) => {
      const { port } = await started();
      const client = await rawClient(port);
      const method = start === 'PO' ? 'POST' : 'PROPFIND';
      client.send(method.slice(0, start.length));
      await turns();
      client.send(
        `${method.slice(start.length)} /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(await client.received(`1.1 ${method} /x `)).toMatch(/^HTTP\/1\.1 200 /);
      client.socket.destroy();
    },
  );

  it('keeps the pipelining and the farewell of HTTP/1', async () => {
    const { port, stop } = await started();
    const client = await rawClient(port);
    client.send(get('/a') + get('/b'));
    await client.received('GET /b ');
    const stopped = stop();
    await client.closed();
    await stopped;
  });
});

describe('the options of HTTP/2', () => {
  it('exclude a server', () => {
    expect(() => httpService({ server: {} as never, http2: true })).toThrow(
      'http2: cannot be combined with server; make a server of node:http2 instead',
    );
  });

  it('count streams', () => {
    expect(() => httpService({ handler: () => {}, maxConcurrentStreams: 0 })).toThrow(
      'maxConcurrentStreams',
    );
  });
});

async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
