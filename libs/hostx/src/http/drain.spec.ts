import { type Server, createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Deadline, deadlineAfter } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { WebSocket, WebSocketServer } from 'ws';
import { BIG_BYTES, Gate, site } from './http-site.fixture.js';
import type { HttpServiceOptions } from './http-options.js';
import { type HttpService, httpService } from './http-service.js';
import { get, rawClient } from './raw-client.fixture.js';

/** A service that has started, with the time in the test's hands. */
interface Started {
  readonly service: HttpService;
  readonly port: number;
  readonly clock: FakeClock;
  readonly abort: () => void;
  readonly ended: Promise<unknown>;
  readonly deadline: (ms: number) => Deadline;
  /** What the host does to stop a service. */
  readonly stop: (deadline?: Deadline) => Promise<void>;
}

async function started(options: HttpServiceOptions): Promise<Started> {
  const clock = fakeClock();
  const service = httpService({ port: 0, host: '127.0.0.1', clock, ...options });
  const controller = new AbortController();
  const ended = service.start(controller.signal);
  await service.ready();
  const abort = (): void => controller.abort();
  const deadline = (ms: number): Deadline => deadlineAfter(ms, clock);
  return {
    service,
    port: Number(service.addr.split(':').at(-1)),
    clock,
    abort,
    ended,
    deadline,
    async stop(limit = deadline(30_000)) {
      abort();
      await Promise.all([service.stop(limit), ended]);
    },
  };
}

/** A clock of a process that is behind: `first` is called before the timers of a time, without a turn between. */
function lateClock(ms: number): { readonly clock: FakeClock; first: () => void } {
  const clock = fakeClock();
  const after = clock.after.bind(clock);
  const late = { clock, first: (): void => {} };
  clock.after = (delay, fn) =>
    after(delay, () => {
      if (clock.now() >= ms) {
        late.first();
        late.first = () => {};
      }
      fn();
    });
  return late;
}

const CLOSE = /^connection: close\r$/im;
const KEEP_ALIVE = /^connection: keep-alive\r$/im;

/** Lets the sockets deliver what is under way, without time passing for the service. */
async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(['Express', 'Fastify'] as const)('the drain of a Nest app on %s', (platform) => {
  let gate: Gate;
  let server: Server;
  let close: () => Promise<void>;

  beforeEach(async () => {
    gate = new Gate();
    ({ server, close } = await site(platform, gate));
  });
  afterEach(() => close());

  it('answers with Connection: close from its beginning and serves on for the delay', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: '5s' } });
    const before = await rawClient(port);
    before.send(get('/now'));
    expect(await before.received('now')).toMatch(KEEP_ALIVE);

    const stopped = stop();
    before.send(get('/now'));
    expect(await before.closed()).toMatch(CLOSE);
    await clock.advance(4_999);
    const during = await rawClient(port);
    during.send(get('/now'));
    expect(await during.closed()).toMatch(CLOSE);

    await clock.advance(1);
    await stopped;
    expect(server.listening).toBe(false);
  });

  it('answers requests that have come in by the end of its delay but have not been read', async () => {
    const late = lateClock(5_000);
    const { port, stop } = await started({ server, clock: late.clock, drain: { delay: '5s' } });
    const client = await rawClient(port);
    client.send(get('/now'));
    await client.received('now');

    late.first = () => client.send(get('/now'));
    const stopped = stop();
    await Promise.all([late.clock.advance(5_000), stopped]);
    expect((await client.closed()).match(/^now|now$/gm)).toHaveLength(2);
  });

  it('answers the first request of a connection that has come in but has not been read', async () => {
    const late = lateClock(500);
    const { port, stop } = await started({ server, clock: late.clock, drain: { delay: 0 } });
    const client = await rawClient(port);
    await turns();
    const stopped = stop();
    await turns();

    late.first = () => client.send(get('/now'));
    await Promise.all([late.clock.advance(500), stopped]);
    expect(await client.closed()).toMatch(/now$/);
  });

  it('says Connection: close on a response that was under way', async () => {
    const { port, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send(get('/slow'));
    await gate.entered;
    const stopped = stop();
    gate.open();
    const answer = await client.closed();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\n\r\nslow$/);
    expect(answer).toMatch(CLOSE);
    await stopped;
  });

  it('replaces the Connection header of a handler that copies one', async () => {
    const { port, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send(get('/proxied'));
    await gate.entered;
    const stopped = stop();
    gate.open();
    const answer = await client.closed();
    expect(answer).toMatch(/\r\n\r\nproxied$/);
    expect(answer).toMatch(CLOSE);
    expect(answer).not.toMatch(/keep-alive/i);
    await stopped;
  });

  it('answers every pipelined request and closes after the last', async () => {
    const { service, port, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send(get('/slow') + get('/slow'));
    await gate.entered;
    await turns();
    service.beginDrain();
    client.send(get('/now'));
    await turns();
    const stopped = stop();
    gate.open();
    const answers = (await client.closed()).split(/(?=HTTP\/1\.1 200)/);
    expect(answers.map((answer) => CLOSE.test(answer))).toEqual([false, false, true]);
    expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual(['slow', 'slow', 'now']);
    await stopped;
  });

  it('lets an upload under way arrive whole', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    const body = JSON.stringify({ text: 'y'.repeat(50_000) });
    client.send(
      `POST /upload HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 1_000)}`,
    );
    await turns();
    const stopped = stop();
    await clock.advance(10_000);
    client.send(body.slice(1_000));
    expect(await client.closed()).toMatch(/\r\n\r\ngot 50000$/);
    await stopped;
  });

  it('lets a response that is complete but not sent reach a slow reader', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send(get('/big'));
    await client.received('HTTP/1.1 200');
    client.socket.pause();
    const stopped = stop();
    await clock.advance(5_000);
    client.socket.resume();
    const answer = await client.closed();
    expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(BIG_BYTES);
    await clock.advance(100);
    await stopped;
  });

  it('closes connections that wait for their next request once the delay is over', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: '1s' } });
    const client = await rawClient(port);
    client.send(get('/now'));
    await client.received('now');
    const stopped = stop();
    await clock.advance(999);
    expect(client.socket.destroyed).toBe(false);
    await clock.advance(1);
    await client.closed();
    await stopped;
  });

  it('destroys a connection that never says anything 500 ms after the delay', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    await turns();
    const stopped = stop();
    await turns();
    await clock.advance(499);
    await turns();
    expect(client.socket.destroyed).toBe(false);
    await clock.advance(1);
    expect(await client.closed()).toBe('');
    await stopped;
  });

  it('serves a connection that speaks within these 500 ms', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    await turns();
    const stopped = stop();
    await clock.advance(499);
    client.send(get('/now'));
    expect(await client.closed()).toMatch(/\r\n\r\nnow$/);
    await stopped;
  });

  it('waits for a request of which only half has come in', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send('GET /now HTTP/1.1\r\n');
    await turns();
    const stopped = stop();
    await clock.advance(5_000);
    client.send('Host: test\r\n\r\n');
    expect(await client.closed()).toMatch(/\r\n\r\nnow$/);
    await stopped;
  });

  it('ends streams of server-sent events once the delay is over', async () => {
    const { port, clock, stop } = await started({ server, drain: { delay: '1s' } });
    const client = await rawClient(port);
    client.send(get('/events'));
    await client.received('data: first');
    const stopped = stop();
    await clock.advance(999);
    expect(client.socket.destroyed).toBe(false);
    await clock.advance(1);
    expect(await client.closed()).toMatch(/data: first\n\n(\r\n)?0\r\n\r\n$/);
    await stopped;
  });

  it('sends WebSockets a close frame 1001 once the delay is over', async () => {
    const sockets = new WebSocketServer({ server });
    const { port, clock, stop } = await started({ server, drain: { delay: '1s' } });
    const client = new WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((resolve) => client.once('open', resolve));
    const code = new Promise((resolve) => client.once('close', resolve));
    const stopped = stop();
    await clock.advance(999);
    expect(client.readyState).toBe(WebSocket.OPEN);
    await clock.advance(1);
    expect(await code).toBe(1001);
    await stopped;
    sockets.close();
  });

  it('sends WebSockets 1012 in batches when another process has taken the place of this one', async () => {
    const sockets = new WebSocketServer({ server });
    const { port, clock, stop } = await started({ server, drain: { delay: '1s' } });
    const codes: number[] = [];
    const clients = Array.from({ length: 45 }, () => new WebSocket(`ws://127.0.0.1:${port}/`));
    for (const client of clients) client.once('close', (code) => codes.push(code));
    await Promise.all(clients.map((each) => new Promise((resolve) => each.once('open', resolve))));
    const link = Symbol.for('apix.hostx.ParentLink');
    const shared = globalThis as { [link]?: unknown };
    const before = shared[link];
    shared[link] = { isReplaced: true };
    try {
      const stopped = stop();
      for (const [ms, count] of [
        [1_000, 20],
        [100, 40],
        [100, 45],
      ] as const) {
        await clock.advance(ms);
        while (codes.length < count) await turns();
        expect(codes).toHaveLength(count);
      }
      await stopped;
    } finally {
      shared[link] = before;
    }
    expect(new Set(codes)).toEqual(new Set([1012]));
    sockets.close();
  });

  it('destroys an upgraded socket that does not go, after the grace', async () => {
    server.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: upgrade\r\n\r\n',
      );
    });
    const { port, clock, stop } = await started({ server, drain: { delay: 0, closeGrace: '2s' } });
    const client = await rawClient(port);
    client.send('GET / HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: odd\r\n\r\n');
    await client.received('101');
    const stopped = stop();
    await turns();
    await clock.advance(1_999);
    await turns();
    expect(client.socket.destroyed).toBe(false);
    await clock.advance(1);
    await client.closed();
    await stopped;
  });

  it('closes forcefully at the deadline and says that the graceful shutdown timed out', async () => {
    const { port, clock, deadline, abort, service, ended } = await started({
      server,
      drain: { delay: '5s' },
    });
    const client = await rawClient(port);
    client.send(get('/slow?token=secret'));
    await gate.entered;
    abort();
    const stopped = service.stop(deadline(8_000)).catch((error: Error) => error.message);
    await clock.advance(7_999);
    await turns();
    expect(client.socket.destroyed).toBe(false);
    await clock.advance(1);
    expect(await stopped).toBe(
      'hostx: http service http: graceful shutdown timed out after 8000 ms with 1 connections ' +
        'open and requests under way: GET /slow',
    );
    expect(await client.closed()).toBe('');
    await ended;
    gate.open();
  });
});

describe('the drain', () => {
  const answer = {
    handler: (_: unknown, response: { end(text: string): unknown }) => response.end('ok'),
  };

  it('counts the delay from beginDrain', async () => {
    const { service, clock, stop } = await started({ ...answer, drain: { delay: '5s' } });
    service.beginDrain();
    expect(service.draining).toBe(true);
    await clock.advance(4_000);
    const stopped = stop();
    await clock.advance(999);
    expect(service.addr).not.toBe('');
    await clock.advance(1);
    await stopped;
    expect(service.addr).toBe('');
  });

  it('takes at most half of the time that is left for the delay', async () => {
    const { clock, deadline, stop, service } = await started({ ...answer, drain: { delay: '5s' } });
    const stopped = stop(deadline(4_000));
    await clock.advance(1_999);
    expect(service.addr).not.toBe('');
    await clock.advance(1);
    await stopped;
  });

  it('keeps to a timeout of its own', async () => {
    const gate = new Gate();
    const { port, clock, service, deadline, abort, ended } = await started({
      handler: () => gate.pass(),
      drain: { delay: 0, timeout: '3s' },
    });
    const client = await rawClient(port);
    client.send(get('/hangs'));
    await gate.entered;
    abort();
    const stopped = service.stop(deadline(30_000)).catch((error: Error) => error.message);
    await clock.advance(3_000);
    expect(await stopped).toMatch(/graceful shutdown timed out after 3000 ms/);
    await Promise.all([ended, client.closed()]);
  });

  it('that times out for a connection without a request says nothing of requests', async () => {
    const { port, clock, service, deadline, abort, ended } = await started({
      ...answer,
      drain: { delay: 0 },
    });
    const client = await rawClient(port);
    client.send('GET / HTTP/1.1\r\nHost: test\r\n');
    await turns();
    abort();
    const stopped = service.stop(deadline(50)).catch((error: Error) => error.message);
    await clock.advance(50);
    expect(await stopped).toBe(
      'hostx: http service http: graceful shutdown timed out after 50 ms with 1 connections open',
    );
    await Promise.all([ended, client.closed()]);
  });

  it('leaves an Upgrade header alone where nobody handles upgrades', async () => {
    const { port, stop } = await started({ ...answer, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send('GET / HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n');
    expect(await client.received('ok')).toMatch(/^HTTP\/1\.1 200 /);
    client.socket.destroy();
    await stop();
  });

  it('closes at once where the signal aborts and nobody calls stop', async () => {
    const { abort, ended, service } = await started(answer);
    abort();
    await ended;
    expect(service.addr).toBe('');
  });

  it('sends no close frame before a WebSocket has been accepted', async () => {
    const gate = new Gate();
    const server = createServer();
    server.on('upgrade', (_request, socket) => {
      void gate.pass().then(() => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    });
    const { port, clock, stop } = await started({ server, drain: { delay: 0 } });
    const client = await rawClient(port);
    client.send(
      'GET / HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await gate.entered;
    const stopped = stop();
    await turns();
    await clock.advance(500);
    gate.open();
    await client.received('\r\n\r\n');
    await clock.advance(500);
    expect(await client.closed()).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\n\x88\x02\x03\xe9');
    await stopped;
  });

  it('destroys a socket that was upgraded only after the grace', async () => {
    const server = createServer();
    server.on('upgrade', (_request, socket) => void socket.write('HTTP/1.1 101 Odd\r\n\r\n'));
    const { port, clock, stop } = await started({ server, drain: { delay: 0, closeGrace: '1s' } });
    const client = await rawClient(port);
    client.send('GET / HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\n');
    await turns();
    const stopped = stop();
    await clock.advance(1_000);
    client.send('Upgrade: odd\r\n\r\n');
    await client.received('101');
    await clock.advance(1_000);
    await client.closed();
    await stopped;
  });

  it('survives a handler that writes to an event stream after its end', async () => {
    const { port, stop } = await started({
      drain: { delay: 0 },
      handler(_request, response) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('data: first\n\n');
        const end = response.end.bind(response);
        response.end = () => {
          end();
          response.write('data: late\n\n');
          return response;
        };
      },
    });
    const client = await rawClient(port);
    client.send(get('/'));
    await client.received('data: first');
    await stop();
    expect(await client.closed()).not.toContain('late');
  });

  it('does not wait for a server that has never listened', async () => {
    const listen = (_server: Server, _where: unknown, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    const clock = fakeClock();
    const service = httpService({ ...answer, listen, clock });
    const controller = new AbortController();
    const ended = service.start(controller.signal);
    controller.abort();
    const limit = deadlineAfter(30_000, clock);
    await Promise.all([service.stop(limit), ended]);
    expect(clock.now()).toBe(0);
  });

  it('leaves no timer behind', async () => {
    const { clock, stop } = await started({ ...answer, drain: { delay: 0, timeout: '10s' } });
    const limit = deadlineAfter(30_000, clock);
    await stop(limit);
    limit.dispose();
    expect(clock.pending).toBe(0);
  });
});
