import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { Server as GrpcJsServer, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { RawHttp2 } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import {
  CA_CERT,
  SERVER_CERT,
  SERVER_KEY,
} from '../../../grpc-client/src/tls/certificates.fixture.js';
import { boundSocket } from '../../../hostx/src/http/bound-socket.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { ObservableController, overEachStack, probeApp } from '../probe.fixture.js';
import { bindSocket } from './bind.js';
import { OpenConnections } from './open-connections.js';
import type { GrpcModuleOptions } from './grpc-options.js';
import { resolveGrpcOptions } from './grpc-options.js';

const [Unary] = probe.services[0]!.methods;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  jest.restoreAllMocks();
});

/** A connection that says nothing. */
async function silent(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Whether a connection is closed before it gets a byte. */
async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.resume();
  const served = once(socket, 'data').then(() => false);
  served.catch(() => {});
  const isClosed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  return Promise.race([served, isClosed]);
}

async function serve(options: GrpcModuleOptions) {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const { app, stop } = await startHost(probeApp([ObservableController], options), { http: false });
  const server = app!.get(GrpcServer);
  const lines = (): string[] => warn.mock.calls.map(([line]) => String(line));
  const figure = (name: string): number | undefined =>
    [...server.metrics()].find((metric) => metric.name === `apix.grpc.connections.${name}`)?.value;
  return { port: server.port, lines, figure, stop };
}

overEachStack(() => {
  describe('a connection above maxConnections', () => {
    it('is closed at once, those that are open are served, and another may come when one has gone', async () => {
      const { port, lines, figure, stop } = await serve({ maxConnections: 3 });
      expect([figure('active'), figure('refused')]).toEqual([0, 0]);
      const mute = await silent(port);
      const [busy, other] = [await RawHttp2.open(port), await RawHttp2.open(port)];
      sockets.push(busy.socket, other.socket);
      await Promise.all([busy.allRead(), other.allRead()]);
      expect(await isRefused(port)).toBe(true);
      expect(await isRefused(port)).toBe(true);
      await busy.allRead();
      expect(busy.socket.destroyed).toBe(false);
      expect([figure('active'), figure('refused')]).toEqual([3, 2]);
      const why = 'maxConnections is 3, and as many are open';
      expect(lines()).toEqual([`refused a connection of 127.0.0.1: ${why}`]);

      mute.destroy();
      while ((await call(clientOf(`127.0.0.1:${port}`), Unary, [{}])).status !== 'OK');
      for (const socket of sockets) socket.destroy();
      await stop();
      expect(lines()[1]).toMatch(/^refused [1-9]\d* more connections, the last of 127\.0\.0\.1$/);
    });

    it('is refused too while those below it have not ended their handshakes of TLS', async () => {
      const tls = { cert: SERVER_CERT, key: SERVER_KEY };
      const { port } = await serve({ maxConnections: 2, tls });
      const held = [await silent(port), await silent(port)];
      // The head of a record of TLS, and no more.
      held[0]!.write(Buffer.from([22, 3, 1, 2, 0]));
      expect(await isRefused(port)).toBe(true);
      held[1]!.destroy();
      const name = { 'grpc.ssl_target_name_override': 'localhost' };
      const secure = credentials.createSsl(Buffer.from(CA_CERT));
      const status = async (): Promise<string> =>
        (await call(clientOf(`127.0.0.1:${port}`, secure, name), Unary, [{}])).status;
      while ((await status()) !== 'OK');
    });

    it('is none without the option, and all are counted', async () => {
      const { port, figure } = await serve({});
      const both = [await RawHttp2.open(port), await RawHttp2.open(port)];
      await Promise.all(both.map((raw) => raw.allRead()));
      expect(figure('active')).toBe(2);
      await both[0]!.destroy();
      await until(() => figure('active') === 1);
      await both[1]!.destroy();
    });
  });
});

it('the limit holds on a socket that was passed to the process', async () => {
  const socket = boundSocket();
  const server = new GrpcJsServer();
  const refused = jest.fn();
  const settings = resolveGrpcOptions({ port: 0 });
  const passed = { target: { fd: socket.fd }, failure: 'cannot listen' };
  const limit = new OpenConnections(1, refused);
  const { port, stopAccepting } = await bindSocket(server, settings, passed, limit);
  const raw = await RawHttp2.open(port);
  await raw.allRead();
  expect([await isRefused(port), refused.mock.calls]).toEqual([true, [['127.0.0.1']]]);
  await raw.destroy();
  const closed = stopAccepting();
  server.forceShutdown();
  await closed;
  socket.close();
});

it('the limit is one of all sockets together that a server listens at', async () => {
  const refused = jest.fn();
  const limit = new OpenConnections(2, refused);
  const servers: Server[] = [];
  const accepted: Socket[] = [];
  for (let n = 0; n < 2; n += 1) {
    const server = createServer((socket) => void accepted.push(socket.on('error', () => {})));
    limit.watch(server);
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
  }
  const [first, second] = servers.map((server) => (server.address() as AddressInfo).port);
  await silent(first!);
  const other = await silent(second!);
  await until(() => accepted.length === 2);
  expect([await isRefused(first!), await isRefused(second!)]).toEqual([true, true]);
  other.destroy();
  await once(accepted[1]!.resume(), 'close');
  await silent(first!);
  await until(() => accepted.length === 3);
  expect(await isRefused(second!)).toBe(true);
  expect(refused).toHaveBeenCalledTimes(3);
  for (const server of servers) server.close();
  for (const socket of accepted) socket.destroy();
});
