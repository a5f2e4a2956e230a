import { once } from 'node:events';
import {
  type AddressInfo,
  type Server,
  type Socket,
  connect,
  createServer as createTcp,
} from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChannelOptions } from '@grpc/grpc-js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import type { GatewayOptions } from '../http/gateway-options.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import { networkUpstream } from './network-upstream.js';

const SSE = { accept: 'text/event-stream' };
const UNAVAILABLE = {
  status: 503,
  json: { code: 'UNAVAILABLE', detail: 'the service is unavailable' },
};

describe.each(['grpc-js', 'http2'] as const)('over %s, a server that does not answer', (stack) => {
  const rig = useRig();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function listening(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  /** A gateway to a port; calls wait so many milliseconds for a connection. */
  function gatewayTo(
    to: number,
    options: GatewayOptions = {},
    channelOptions: ChannelOptions = {},
  ): Promise<number> {
    const endpoint = `127.0.0.1:${to}`;
    const upstream = networkUpstream({ endpoint, stack, connectTimeout: 1_500, channelOptions });
    ends.unshift(() => upstream.close());
    return rig.start({ webSockets: webSockets(), ...options }, upstream);
  }

  describe('and accepts connections', () => {
    async function silent(): Promise<number> {
      const sockets = new Set<Socket>();
      const server = createTcp((socket) => sockets.add(socket.resume().on('error', () => {})));
      ends.unshift(() => sockets.forEach((socket) => socket.destroy()));
      return listening(server);
    }

    it.each([
      ['a unary call', '/v1/query', {}],
      ['a stream', '/v1/count?to=1', {}],
      ['Server-Sent Events', '/v1/count?to=1', SSE],
    ])('%s is answered with 503 once the time to connect is over', async (_, path, headers) => {
      const port = await gatewayTo(await silent(), { heartbeat: 200 });
      expect(await ask(port, path, { headers })).toMatchObject(UNAVAILABLE);
      // The next attempt has a time of its own.
      expect(await ask(port, path, { headers })).toMatchObject(UNAVAILABLE);
    });

    it('a WebSocket is closed with 4014, UNAVAILABLE', async () => {
      const { closed } = await talk(await gatewayTo(await silent()), '/v1/chat');
      expect(await closed).toEqual([4_014, 'UNAVAILABLE']);
    });
  });

  it('a call that waited for a connection continues when there is one', async () => {
    const backend = Number(rig.echo.endpoint.split(':')[1]);
    const slow = createTcp((socket) => {
      const onward = connect(backend, '127.0.0.1');
      ends.unshift(() => [socket, onward].forEach((it) => it.destroy()));
      socket.on('error', () => {});
      setTimeout(() => socket.pipe(onward).pipe(socket), 700);
    });
    const port = await gatewayTo(await listening(slow));
    const answers = await Promise.all([
      ask(port, '/v1/query?str=a'),
      ask(port, '/v1/count?to=10&delay_ms=150', { headers: SSE }),
    ]);
    expect(answers.map(({ status, text }) => [status, text.includes('error')])).toEqual([
      [200, false],
      [200, false],
    ]);
  });

  describe('because the network has dropped it', () => {
    /** A way to the echo server that stops carrying anything, without a word. */
    async function network(): Promise<{ port: number; drop: () => void }> {
      const backend = Number(rig.echo.endpoint.split(':')[1]);
      const pairs: Socket[] = [];
      const port = await listening(
        createTcp((socket) => {
          const onward = connect(backend, '127.0.0.1');
          pairs.push(socket, onward);
          for (const it of [socket, onward]) it.on('error', () => {});
          socket.pipe(onward).pipe(socket);
        }),
      );
      ends.unshift(() => pairs.forEach((it) => it.destroy()));
      const drop = (): void => pairs.forEach((it) => it.unpipe().resume());
      return { port, drop };
    }

    const FREQUENT = { 'grpc.keepalive_time_ms': 300, 'grpc.keepalive_timeout_ms': 300 };

    it('ends its streams with UNAVAILABLE, and the next call has a connection of its own', async () => {
      const { port: way, drop } = await network();
      const port = await gatewayTo(way, { heartbeat: 50 }, FREQUENT);
      expect((await ask(port, '/v1/query')).status).toBe(200);
      const waiting = ask(port, '/v1/count?to=1&delay_ms=60000', { headers: SSE });
      drop();
      const { status, text } = await waiting;
      expect([status, /event: status\ndata: (.*)\n\n$/.exec(text)?.[1] ?? text]).toEqual([
        200,
        expect.stringContaining('"code":"UNAVAILABLE"'),
      ]);
      expect((await ask(port, '/v1/query')).status).toBe(200);
    });

    it('closes its WebSockets with 4014, UNAVAILABLE', async () => {
      const { port: way, drop } = await network();
      const { closed } = await talk(await gatewayTo(way, {}, FREQUENT), '/v1/chat');
      drop();
      expect(await closed).toEqual([4_014, 'UNAVAILABLE']);
    });
  });
});
