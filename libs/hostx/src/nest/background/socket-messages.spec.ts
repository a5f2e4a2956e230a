import 'reflect-metadata';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { HostxModule } from '../hostx.module.js';
import { startHost } from '../../testing/start-host.js';

const log: string[] = [];
let release = (): void => {};
let begin = (): void => {};
let begun: Promise<void>;

@Injectable()
class Database implements OnModuleDestroy {
  isClosed = false;
  onModuleDestroy(): void {
    this.isClosed = true;
    log.push('database closed');
  }
}

@WebSocketGateway()
class Chat {
  constructor(private readonly database: Database) {}

  @SubscribeMessage('slow') async slow(): Promise<object> {
    begin();
    await new Promise<void>((resolve) => (release = resolve));
    log.push(this.database.isClosed ? 'answered too late' : 'answered');
    return { event: 'slow', data: 'done' };
  }
}

@Module({
  imports: [
    HostxModule.forRoot({
      logger: null,
      drain: { delay: 0, closeGrace: 100 },
      shutdownTimeout: '20s',
    }),
  ],
  providers: [Database, Chat],
})
class App {}

interface Client {
  readonly answer: Promise<unknown>;
  readonly close: () => void;
}

async function overWs(port: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await once(socket, 'open');
  socket.send('{"event":"slow"}');
  const answer = new Promise((resolve) => {
    socket.once('message', (data: Buffer) => resolve(JSON.parse(String(data))));
    socket.once('close', (code) => resolve(code));
  });
  return { answer, close: () => socket.terminate() };
}

async function overSocketIo(port: number): Promise<Client> {
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const answer = new Promise((resolve) => {
    socket.once('slow', (data: unknown) => resolve({ event: 'slow', data }));
    socket.once('disconnect', resolve);
  });
  socket.emit('slow', {});
  return { answer, close: () => socket.close() };
}

type Adapter = typeof WsAdapter | typeof IoAdapter;

/** @returns where it listens, and what stops it */
type Start = (Adapter: Adapter) => Promise<readonly [number, () => Promise<unknown>]>;

const portOf = (app: INestApplication): number =>
  ((app.getHttpServer() as Server).address() as AddressInfo).port;

const underRunHost: Start = async (Adapter) => {
  const configure = (app: INestApplication): void => void app.useWebSocketAdapter(new Adapter(app));
  const host = await startHost(App, { configure });
  return [portOf(host.app!), () => host.stop()];
};

const withPlainMain: Start = async (Adapter) => {
  const app = await NestFactory.create(App, { logger: false });
  app.useWebSocketAdapter(new Adapter(app));
  await app.listen(0, '127.0.0.1');
  return [portOf(app), () => app.close()];
};

describe.each([
  ['ws under runHost', WsAdapter, underRunHost, overWs],
  ['ws with a plain main', WsAdapter, withPlainMain, overWs],
  ['Socket.IO under runHost', IoAdapter, underRunHost, overSocketIo],
  ['Socket.IO with a plain main', IoAdapter, withPlainMain, overSocketIo],
] as const)('a message of %s', (_, Adapter, start, connect) => {
  let client: Client | undefined;
  afterEach(() => client?.close());

  it('is answered before its connection is told to go and the app is destroyed', async () => {
    log.splice(0);
    begun = new Promise((resolve) => (begin = resolve));
    const [port, stop] = await start(Adapter);
    client = await connect(port);
    await begun;
    const stopped = stop();
    // Longer than connections have to go once they are told to.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(log).toEqual([]);
    release();
    expect(await client.answer).toEqual({ event: 'slow', data: 'done' });
    expect(await stopped).toBeUndefined();
    expect(log).toEqual(['answered', 'database closed']);
  });
});
