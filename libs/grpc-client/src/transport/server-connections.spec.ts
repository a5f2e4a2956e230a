import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, type Socket, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { status as GrpcStatus } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { type ProbeCall, callOver, plainTransport } from './probe-call.fixture.js';
import { silentServer, streamsOf } from './silent-server.fixture.js';

describe.each(['grpc-js', 'http2'] as const)('the connections of a transport over %s', (stack) => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function start(answer?: (call: ServerHttp2Stream) => void) {
    const server = await silentServer(answer);
    const transport = plainTransport(server.endpoint, { stack });
    ends.push(() => transport.close(), server.close);
    await transport.waitForReady(Date.now() + 30_000);
    return { ...server, transport };
  }

  it('are one for 400 calls at once', async () => {
    const { sessions, transport } = await start();
    const calls = Array.from({ length: 400 }, () => callOver(transport));
    await until(() => sessions[0]?.streams === 400);
    expect(sessions).toHaveLength(1);
    for (const made of calls) made.call.cancel();
  });

  it('are shared with no other transport', async () => {
    const { sessions, endpoint } = await start();
    const other = plainTransport(endpoint, { stack });
    ends.push(() => other.close());
    await other.waitForReady(Date.now() + 30_000);
    expect(sessions).toHaveLength(2);
  });

  it('are as many as keep each from ending by resets, and no call ends with those of others', async () => {
    const { sessions, transport } = await start();
    const other = callOver(transport);
    for (let round = 1; round <= 30; round += 1) {
      const calls = Array.from({ length: 100 }, () => callOver(transport));
      await until(() => streamsOf(sessions) === 1 + round * 100);
      for (const made of calls) made.call.cancel();
    }
    expect(other.end).toBeUndefined();
    expect(Math.max(...sessions.map(({ resets }) => resets))).toBeLessThan(1_000);
    expect(sessions.length).toBeGreaterThan(3);
  });

  it('are as many as keep each from ending where answers are above the limit of the client', async () => {
    const { sessions, transport } = await start((call) => {
      call.respond({ ':status': 200, 'content-type': 'application/grpc' });
      // The beginning of a message of 2 GiB.
      call.write(Buffer.of(0, 0x7f, 0xff, 0xff, 0xff));
    });
    for (let round = 1; round <= 30; round += 1) {
      const calls = Array.from({ length: 100 }, () => callOver(transport).ended);
      const codes = (await Promise.all(calls)).map(({ status }) => status.code);
      expect(new Set(codes)).toEqual(new Set([GrpcStatus.RESOURCE_EXHAUSTED]));
    }
    expect(Math.max(...sessions.map(({ resets }) => resets))).toBeLessThan(1_000);
    expect(sessions.length).toBeGreaterThan(3);
  });

  it('are one where the server refuses calls for its own limits', async () => {
    const { sessions, transport } = await start((call) => {
      call.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '8' },
        { endStream: true },
      );
    });
    for (let round = 1; round <= 12; round += 1) {
      const calls = Array.from({ length: 100 }, () => callOver(transport).ended);
      const codes = (await Promise.all(calls)).map(({ status }) => status.code);
      expect(new Set(codes)).toEqual(new Set([GrpcStatus.RESOURCE_EXHAUSTED]));
    }
    expect(sessions).toHaveLength(1);
  });

  it('are more for more calls, and one again when these have ended', async () => {
    const { sessions, transport } = await start();
    const first = Array.from({ length: 600 }, () => callOver(transport));
    const more: ProbeCall[] = [];
    await until(() => {
      more.push(callOver(transport));
      return (sessions[1]?.streams ?? 0) > 0;
    });
    const second = more.at(-1)!;
    for (const made of [...first, ...more.slice(0, -1)]) made.call.cancel();
    await until(() => !sessions[0]!.isOpen);
    expect(sessions[1]!.isOpen).toBe(true);
    expect(second.end).toBeUndefined();
  });

  it('are the one that there is where the server takes no other', async () => {
    const { sessions, transport, refuse } = await start();
    refuse();
    const calls = Array.from({ length: 600 }, () => callOver(transport));
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
    const transport = plainTransport(`127.0.0.1:${port}`, { stack, connectTimeoutMs: 20 });
    ends.push(() => {
      transport.close();
      onlyOne.close();
      for (const socket of sockets) socket.destroy();
    });
    await transport.waitForReady(Date.now() + 30_000);
    const calls = Array.from({ length: 600 }, () => callOver(transport));
    await until(() => sockets.length === 2);
    for (let round = 0; round < 20; round += 1) {
      await sleep(20);
      calls.push(callOver(transport));
    }
    expect(sockets.length).toBe(2);
    expect(calls.every(({ end }) => end === undefined)).toBe(true);
    for (const made of calls) made.call.cancel();
  });

  it('are one for calls that have waited for it in vain', async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket.on('error', () => {})));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const transport = plainTransport(`127.0.0.1:${port}`, { stack, connectTimeoutMs: 100 });
    ends.push(() => {
      transport.close();
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
    for (let round = 0; round < 3; round += 1) {
      const calls = Array.from({ length: 300 }, () => callOver(transport).ended);
      const codes = (await Promise.all(calls)).map(({ status }) => status.code);
      expect(new Set(codes)).toEqual(new Set([GrpcStatus.UNAVAILABLE]));
    }
    expect(sockets).toHaveLength(1);
  });

  it('are not opened any more once it is closed', async () => {
    const { sessions, transport } = await start();
    const calls = Array.from({ length: 500 }, () => callOver(transport));
    await until(() => sessions[0]?.streams === 500);
    transport.close();
    expect((await callOver(transport).ended).status).toMatchObject({
      code: GrpcStatus.UNAVAILABLE,
      details: 'the client is closed',
    });
    for (const made of calls) made.call.cancel();
    await until(() => !sessions[0]!.isOpen);
    expect(sessions).toHaveLength(1);
  });
});
