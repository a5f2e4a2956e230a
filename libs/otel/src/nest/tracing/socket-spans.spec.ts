import 'reflect-metadata';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostxModule } from '@apix/hostx';
import { type DynamicModule, type INestApplication, Module } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { trace } from '@opentelemetry/api';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { RecordedSpans, forgetSpans } from '../../recorded-spans.fixture.js';
import { TracingModule } from './tracing.module.js';

@WebSocketGateway()
class Chat {
  @SubscribeMessage('greet') async greet(): Promise<object> {
    await Promise.resolve();
    trace.getTracer('app').startSpan('query').end();
    return { event: 'greet', data: 'hello' };
  }

  @SubscribeMessage('broken') broken(): void {
    throw new RangeError('no voice');
  }
}

type Say = (port: number, events: readonly string[]) => Promise<void>;

const overWs: Say = async (port, events) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await once(socket, 'open');
  for (const event of events) {
    socket.send(JSON.stringify({ event }));
    await once(socket, 'message');
  }
  socket.close();
  await once(socket, 'close');
};

const overSocketIo: Say = async (port, events) => {
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  for (const event of events) {
    const answered = new Promise<void>((resolve) => {
      socket.once('greet', () => resolve());
      socket.once('exception', () => resolve());
    });
    socket.emit(event, {});
    await answered;
  }
  socket.close();
};

let recorded: RecordedSpans;
let app: INestApplication;
beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(async () => {
  await app.close();
  forgetSpans();
});

async function start(Adapter: typeof WsAdapter | typeof IoAdapter, host: DynamicModule[]) {
  @Module({ imports: [TracingModule.forRoot(), ...host], providers: [Chat] })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  app.useWebSocketAdapter(new Adapter(app));
  await app.listen(0, '127.0.0.1');
  return Number(new URL(await app.getUrl()).port);
}

type Case = [string, typeof WsAdapter | typeof IoAdapter, Say, DynamicModule[]];

/** Nest 11 asks no global interceptors at gateways. */
const isAskedAtGateways = 'registerPreRequestHook' in ApplicationConfig.prototype;
const WITHOUT_HOST: readonly Case[] = [
  ['ws', WsAdapter, overWs, []],
  ['Socket.IO', IoAdapter, overSocketIo, []],
];

const WITH_HOST = [HostxModule.forRoot({ logger: null, http: false })];

describe.each<Case>([
  ...(isAskedAtGateways ? WITHOUT_HOST : []),
  ['ws with a host', WsAdapter, overWs, WITH_HOST],
  ['Socket.IO with a host', IoAdapter, overSocketIo, WITH_HOST],
])('a message over %s', (_, Adapter, say, host) => {
  it('has one span, in a trace of its own', async () => {
    const port = await start(Adapter, host);
    await say(port, ['greet', 'greet']);
    expect(recorded.paths).toEqual([
      'SERVER GET',
      'SERVER greet',
      'SERVER greet',
      'SERVER greet > INTERNAL query',
      'SERVER greet > INTERNAL query',
    ]);
    const traces = recorded.all.map((span) => span.spanContext().traceId);
    expect(new Set(traces).size).toBe(3);
  });

  // Nest 11 keeps to itself what a handler has thrown.
  if (!isAskedAtGateways) return;
  it('that fails marks its span', async () => {
    const port = await start(Adapter, host);
    await say(port, ['broken']);
    expect(recorded.paths).toEqual(['SERVER GET', 'SERVER broken ERROR RangeError']);
  });
});
