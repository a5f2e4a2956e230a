import { once } from 'node:events';
import { type Http2Server, type ServerHttp2Session, createServer } from 'node:http2';
import { type AddressInfo, type Socket, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { networkUpstream } from './network-upstream.js';
import type { CallEnd, Upstream, UpstreamCall } from './upstream.js';

const METHOD = transcodingRegistry().method('transcoding.v1.EchoService/Query')!;

interface Session {
  streams: number;
  resets: number;
  isOpen: boolean;
}

/** A server that answers no call and counts what comes over each connection. */
async function silentServer() {
  const sessions: Session[] = [];
  const open = new Set<ServerHttp2Session>();
  const server: Http2Server = createServer();
  server.on('session', (session) => {
    const seen: Session = { streams: 0, resets: 0, isOpen: true };
    sessions.push(seen);
    open.add(session);
    session.on('stream', (stream) => {
      seen.streams += 1;
      stream.on('error', () => {});
      stream.once('aborted', () => (seen.resets += 1));
    });
    session.on('error', () => {});
    session.once('close', () => {
      seen.isOpen = false;
      open.delete(session);
    });
  });
  const door = createTcpServer((socket) => server.emit('connection', socket));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    sessions,
    endpoint: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    /** Takes no connection any more, and leaves those that there are. */
    refuse: (): void => void door.close(),
    close: (): void => {
      for (const session of open) session.destroy();
      door.close();
    },
  };
}

/** Makes a call that gets no answer. */
function call(upstream: Upstream) {
  const made: { call: UpstreamCall; end: CallEnd | undefined } = {
    call: undefined!,
    end: undefined,
  };
  const head = { method: METHOD, fullName: '/a/B', metadata: new Metadata(), timeoutMs: undefined };
  made.call = upstream.open(head, {
    onHeaders: () => {},
    onMessage: () => {},
    onEnd: (end) => (made.end = end),
  });
  made.call.halfClose();
  made.call.read();
  return made;
}

function streamsOf(sessions: readonly Session[]): number {
  return sessions.reduce((sum, { streams }) => sum + streams, 0);
}

describe('the connections of a network upstream', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function start() {
    const server = await silentServer();
    const upstream = networkUpstream({ endpoint: server.endpoint });
    ends.push(() => upstream.close(), server.close);
    await upstream.waitForReady(Date.now() + 5_000);
    return { ...server, upstream };
  }

  it('are one for 400 calls at once', async () => {
    const { sessions, upstream } = await start();
    const calls = Array.from({ length: 400 }, () => call(upstream));
    await until(() => sessions[0]?.streams === 400);
    expect(sessions).toHaveLength(1);
    for (const made of calls) made.call.cancel();
  });

  it('are as many as keep each from ending by resets, and no call ends with those of others', async () => {
    const { sessions, upstream } = await start();
    const other = call(upstream);
    for (let round = 1; round <= 30; round += 1) {
      const calls = Array.from({ length: 100 }, () => call(upstream));
      await until(() => streamsOf(sessions) === 1 + round * 100);
      for (const made of calls) made.call.cancel();
    }
    expect(other.end).toBeUndefined();
    expect(Math.max(...sessions.map(({ resets }) => resets))).toBeLessThan(1_000);
    expect(sessions.length).toBeGreaterThan(3);
  });

  it('are more for more calls, and one again when these have ended', async () => {
    const { sessions, upstream } = await start();
    const first = Array.from({ length: 600 }, () => call(upstream));
    const more: ReturnType<typeof call>[] = [];
    await until(() => {
      more.push(call(upstream));
      return (sessions[1]?.streams ?? 0) > 0;
    });
    const second = more.at(-1)!;
    for (const made of [...first, ...more.slice(0, -1)]) made.call.cancel();
    await until(() => !sessions[0]!.isOpen);
    expect(sessions[1]!.isOpen).toBe(true);
    expect(second.end).toBeUndefined();
  });

  it('are the one that there is where the server takes no other', async () => {
    const { sessions, upstream, refuse } = await start();
    refuse();
    const calls = Array.from({ length: 600 }, () => call(upstream));
    await until(() => streamsOf(sessions) === 600);
    expect(sessions).toHaveLength(1);
    for (const made of calls) made.call.cancel();
  });

  it('are no more than one that waits for a server which accepts it and says nothing', async () => {
    const { endpoint, close } = await silentServer();
    ends.push(close);
    const sockets: Socket[] = [];
    const onlyOne = createTcpServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      if (sockets.length > 1) return;
      const to = connect(Number(endpoint.split(':')[1]), '127.0.0.1').on('error', () => {});
      socket.pipe(to).pipe(socket);
    });
    onlyOne.listen(0, '127.0.0.1');
    await once(onlyOne, 'listening');
    const { port } = onlyOne.address() as AddressInfo;
    const upstream = networkUpstream({ endpoint: `127.0.0.1:${port}`, connectTimeout: 20 });
    ends.push(() => {
      upstream.close();
      onlyOne.close();
      for (const socket of sockets) socket.destroy();
    });
    await upstream.waitForReady(Date.now() + 5_000);
    const calls = Array.from({ length: 600 }, () => call(upstream));
    await until(() => sockets.length === 2);
    for (let round = 0; round < 20; round += 1) {
      await sleep(20);
      calls.push(call(upstream));
    }
    expect(sockets.length).toBe(2);
    expect(calls.every(({ end }) => end === undefined)).toBe(true);
    for (const made of calls) made.call.cancel();
  });

  it('are not opened any more once it is closed', async () => {
    const { sessions, upstream } = await start();
    const calls = Array.from({ length: 500 }, () => call(upstream));
    await until(() => sessions[0]?.streams === 500);
    upstream.close();
    expect(() => call(upstream)).toThrow('Channel has been shut down');
    for (const made of calls) made.call.cancel();
    await until(() => !sessions[0]!.isOpen);
    expect(sessions).toHaveLength(1);
  });
});
