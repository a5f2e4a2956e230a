import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import {
  type EchoServer,
  startEchoServer,
  transcodingRegistry,
} from '../fixtures/echo-server.fixture.js';
import { upstreamOf } from '../fixtures/rig.fixture.js';
import { serve } from '../fixtures/serve.fixture.js';
import type { Upstream } from '../upstream/upstream.js';
import { Gateway } from './gateway.js';
import type { GatewayOptions } from './gateway-options.js';

const registry = transcodingRegistry();

/** Answers after 300 ms. */
const SLOW = post('/v1/fail', '{"delayMs":300}');
/** Has no end. */
const ENDLESS = 'GET /v1/count?to=100000000&delayMs=1 HTTP/1.1\r\nhost: x\r\n\r\n';

function post(path: string, body: string, length = body.length): string {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${length}\r\n\r\n${body}`;
}

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  let echo: EchoServer;
  let upstream: Upstream;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    echo = await startEchoServer(registry);
    const { endpoint, door } = echo;
    upstream = upstreamOf(transport, endpoint, door);
  });
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
  afterAll(() => {
    upstream.close();
    echo.stop();
  });

  async function start(options: GatewayOptions = {}) {
    const gateway = new Gateway(registry, upstream, options);
    const served = await serve(gateway.handle);
    ends.push(() => served.close());
    const send = async (bytes: string): Promise<Socket> => {
      const socket = connect(served.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(bytes);
      socket.resume();
      return socket;
    };
    return { counts: gateway.counts, send };
  }

  const leaving: [string, (socket: Socket) => void][] = [
    ['closes', (socket) => socket.destroy()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ];

  it.each(leaving)('a caller that %s its connection ends all requests on it', async (_, leave) => {
    const { counts, send } = await start();
    const socket = await send(SLOW.repeat(20));
    await until(() => counts.active === 20);
    leave(socket);
    await until(() => counts.active === 0);
    expect([...counts.served]).toEqual([[499, 20]]);
  });

  it('the handler of a stream behind another request is cancelled when its caller leaves', async () => {
    const { counts, send } = await start();
    const [cancelled, written] = [echo.cancelled(), echo.written()];
    const socket = await send(SLOW + ENDLESS.repeat(2));
    await until(() => counts.active === 3);
    await until(() => echo.written() > written);
    socket.destroy();
    await until(() => counts.active === 0);
    await until(() => echo.cancelled() > cancelled + 1);
    expect([...counts.served]).toEqual([[499, 3]]);
  });

  it('a half body behind other requests ends when its caller leaves', async () => {
    const { counts, send } = await start();
    const socket = await send(SLOW + post('/v1/whole', '{"str"', 100));
    await until(() => counts.active === 2);
    socket.destroy();
    await until(() => counts.active === 0);
    expect([...counts.served]).toEqual([[499, 2]]);
  });

  it('requests behind each other are answered in their order, and counted once', async () => {
    const { counts, send } = await start();
    const socket = await send(SLOW + post('/v1/whole', '{"str":"x"}').repeat(3));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.split('HTTP/1.1 200').length === 5);
    expect([...counts.served]).toEqual([[200, 4]]);
    socket.destroy();
    await sleep(20);
    expect([counts.active, [...counts.served]]).toEqual([0, [[200, 4]]]);
  });

  it('a caller that leaves while a middleware is at it is counted once, and no call is made', async () => {
    let proceed = (): void => {};
    const { counts, send } = await start({
      middleware: [(_req, _res, next) => void (proceed = () => next())],
    });
    const before = echo.calls.length;
    const socket = await send(SLOW);
    const idle = proceed;
    await until(() => proceed !== idle);
    socket.destroy();
    await sleep(50);
    proceed();
    await until(() => counts.served.size > 0);
    expect([counts.active, [...counts.served], echo.calls.length]).toEqual([0, [[499, 1]], before]);
  });
});
