import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../../../tools/testing/until.js';
import { FrameServer, GOOD, answerWell } from '../../../../../tools/testing/frame-server.js';
import { plainTransport } from '../probe-call.fixture.js';
import { traceCall } from '../same-ends.fixture.js';
import { Http2Link } from './http2-link.js';
import { ClientSession } from '@apix/http2';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(): Promise<FrameServer> {
  const server = await new FrameServer(answerWell).listen();
  ends.push(() => server.close());
  return server;
}

/** Whether a socket holds this process; those of other tests, which may be there still, do not count. */
function holds(socket: Socket): boolean {
  const { _handle: handle } = socket as unknown as { readonly _handle: HoldingHandle | null };
  return handle?.hasRef() === true;
}

interface HoldingHandle {
  hasRef(): boolean;
}

/** The client sockets that are made from now on. */
function socketsMade(): readonly Socket[] {
  const made: Socket[] = [];
  const onMade = (event: unknown): void => void made.push((event as { socket: Socket }).socket);
  subscribe('net.client.socket', onMade);
  ends.push(() => unsubscribe('net.client.socket', onMade));
  return made;
}

describe.each(['grpc-js', 'http2'] as const)('over %s a connection', (stack) => {
  it('to a name is one to the address that answers', async () => {
    const server = await serve();
    const transport = plainTransport(`localhost:${server.port}`, { stack });
    ends.push(() => transport.close());
    expect(await traceCall(transport).ended).toEqual(GOOD);
  });

  it('to a name that does not resolve ends its calls with UNAVAILABLE', async () => {
    const transport = plainTransport('no-such.invalid:1', { stack });
    ends.push(() => transport.close());
    const [end] = await traceCall(transport, { deadline: Date.now() + 30_000 }).ended;
    expect(end).toMatch(/^14 by the client: (No connection|Name resolution)/);
  });

  it('is closed when it was without calls for long, and opened for the next one', async () => {
    const server = await serve();
    const transport = plainTransport(server.endpoint, {
      stack,
      channelOptions: { 'grpc.client_idle_timeout_ms': 1_000 },
    });
    ends.push(() => transport.close());
    await traceCall(transport).ended;
    const [first] = server.connections;
    await until(() => first!.socket.readableEnded && transport.state === 'idle');
    expect(await traceCall(transport).ended).toEqual(GOOD);
    expect(server.connections).toHaveLength(2);
  });
});

describe('a connection of our own', () => {
  it('takes no call beyond the numbers of its streams, and ends with the last one', async () => {
    const server = await serve();
    const session: ClientSession = await new Promise((resolve) => {
      const made = new ClientSession(connect(server.port, '127.0.0.1'), undefined, {
        onReady: () => resolve(made),
        onGoaway: () => {},
        onClosed: () => {},
      });
    });
    ends.push(() => session.destroy());
    const onLeft = jest.fn(() => link.close());
    const never = { timeMs: Infinity, timeoutMs: 1, withoutCalls: false };
    const link: Http2Link = new Http2Link(
      session,
      { keepAlive: never, idleMs: 60_000, maxCalls: 2 },
      onLeft,
    );
    const begin = (): Promise<void> =>
      new Promise<void>((resolve) => {
        const stream = link.begin([':method', 'POST', ':path', '/'], {
          onHeaders: (_received, endsStream) => {
            if (endsStream) resolve();
          },
          onData: () => {},
          onClosed: () => {},
        });
        stream.end();
      }).then(() => link.end());
    await begin();
    expect(link.isOpen).toBe(true);
    const last = begin();
    expect([link.isOpen, onLeft.mock.calls.length]).toEqual([false, 1]);
    await last;
    await until(() => session.isDestroyed);
    expect(server.connections[0]!.streams).toHaveLength(2);
  });

  it('that is being made holds the process only while a call waits for it', async () => {
    const server = await serve();
    const transport = plainTransport(server.endpoint, { stack: 'http2' });
    ends.push(() => transport.close());
    server.isSilent = true;
    const made = socketsMade();
    const { call, ended } = traceCall(transport, { waitForReady: true });
    await until(() => server.connections.length === 1);
    const own = made.filter(({ remotePort }) => remotePort === server.port);
    expect(own.map(holds)).toEqual([true]);
    call.cancel();
    await ended;
    expect(own.map(holds)).toEqual([false]);
  });
});
