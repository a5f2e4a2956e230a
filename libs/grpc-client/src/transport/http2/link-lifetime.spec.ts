import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../../../tools/testing/until.js';
import { FrameServer, GOOD, answerWell } from '../../../../../tools/testing/frame-server.js';
import { plainTransport } from '../probe-call.fixture.js';
import { traceCall } from '../same-ends.fixture.js';
import { Http2Link } from './http2-link.js';
import { ClientSession } from '@apix/http2';

jest.setTimeout(60_000);

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(): Promise<FrameServer> {
  const server = await new FrameServer(answerWell).listen();
  ends.push(() => server.close());
  return server;
}

/** Sockets that hold this process. */
function holding(): number {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /^(TCP|Pipe)(Socket|Connect)Wrap$/.test(kind)).length;
}

describe.each(['grpc-js', 'http2'] as const)('over %s a connection', (stack) => {
  it('to a name is one to the address that answers', async () => {
    const server = await serve();
    const transport = plainTransport(`localhost:${server.port}`, { stack });
    ends.push(() => transport.close());
    expect(await traceCall(transport).ended).toEqual(GOOD);
  });

  it('to a name that nobody has ends its calls as UNAVAILABLE', async () => {
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
    // Those of other tests have ended.
    await until(() => holding() === 0);
    const { call, ended } = traceCall(transport, { waitForReady: true });
    await until(() => server.connections.length === 1);
    server.connections[0]!.socket.unref();
    expect(holding()).toBe(1);
    call.cancel();
    await ended;
    expect(holding()).toBe(0);
  });
});
