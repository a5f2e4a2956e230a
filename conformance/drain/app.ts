import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostRef, HostxModule, runHost } from '@apix/hostx';
import {
  Body,
  Controller,
  Get,
  HttpException,
  type INestApplication,
  type MessageEvent,
  Module,
  Post,
  Sse,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Observable, interval, map } from 'rxjs';
import { WebSocketServer } from 'ws';

/**
 * The instance under test, in a process of its own: `app.mjs <express|fastify> <host|stock>
 * <drain delay in ms>`. Says `ready <port>` once it listens.
 */
const [platform, mode, delay] = process.argv.slice(2);

const TICK_MS = 20;

@Controller()
class Site {
  constructor(private readonly host: HostRef) {}

  @Get('readyz') ready() {
    if (this.host.state.phase === 'stopping') throw new HttpException('stopping', 503);
    return 'ok';
  }
  @Get('now') now() {
    return 'now';
  }
  @Get('slow') async slow() {
    await sleep(50);
    return 'slow';
  }
  @Post('upload') upload(@Body() body: { readonly text: string }) {
    return String(body.text.length);
  }
  @Sse('events') events(): Observable<MessageEvent> {
    return interval(TICK_MS).pipe(map((data) => ({ data: String(data) })));
  }
}

@Module({ imports: [HostxModule.forRoot({ logger: null })], controllers: [Site] })
class Hosted {}

@Module({ controllers: [Site], providers: [{ provide: HostRef, useValue: { state: {} } }] })
class Stock {}

function say(app: INestApplication): void {
  const address = (app.getHttpServer() as Server).address();
  if (typeof address === 'object') process.stdout.write(`ready ${address?.port}\n`);
}

function serveWebSockets(app: INestApplication): void {
  const sockets = new WebSocketServer({ server: app.getHttpServer() as Server });
  sockets.on('connection', (socket) => {
    const timer = setInterval(() => socket.send('tick'), TICK_MS);
    socket.on('close', () => clearInterval(timer));
  });
}

const fastify = platform === 'fastify';
if (mode === 'stock') {
  const options = { logger: false } as const;
  const app = fastify
    ? await NestFactory.create(Stock, new FastifyAdapter(), options)
    : await NestFactory.create(Stock, options);
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  say(app);
} else {
  let app: INestApplication | undefined;
  await runHost(Hosted, {
    ...(fastify && { adapter: new FastifyAdapter() }),
    nest: { logger: false },
    http: { port: 0, host: '127.0.0.1' },
    drain: { delay: Number(delay) },
    configure: (created) => {
      app = created;
      serveWebSockets(created);
    },
    extend: (builder) => void builder.onStarted(() => say(app!)),
  });
}
