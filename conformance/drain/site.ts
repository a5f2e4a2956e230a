import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostRef } from '@apix/hostx';
import {
  Body,
  Controller,
  Get,
  HttpException,
  type INestApplication,
  type MessageEvent,
  Post,
  Sse,
} from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, count, interval, map, takeWhile } from 'rxjs';
import { WebSocketServer } from 'ws';
import { SLOW_MS, TICK_MS } from './paces.js';
import { SERVICE, type Shape } from './probe.js';

/** What is served over HTTP. */
@Controller()
export class Site {
  constructor(private readonly host: HostRef) {}

  @Get('readyz') ready() {
    if (this.host.state.phase === 'stopping') throw new HttpException('stopping', 503);
    return 'ok';
  }
  @Get('now') now() {
    return 'now';
  }
  @Get('slow') async slow() {
    await sleep(SLOW_MS);
    return 'slow';
  }
  @Post('upload') upload(@Body() body: { readonly text: string }) {
    return String(body.text.length);
  }
  @Sse('events') events(): Observable<MessageEvent> {
    return interval(TICK_MS).pipe(map((data) => ({ data: String(data) })));
  }
}

/** What is served over gRPC. */
@Controller()
export class GrpcSite {
  constructor(private readonly host: HostRef) {}

  @GrpcMethod(SERVICE, 'Unary') async unary({ stringValue }: Shape): Promise<Shape> {
    if (stringValue === 'slow') await sleep(SLOW_MS);
    return { stringValue: stringValue! };
  }
  @GrpcStreamMethod(SERVICE, 'ClientStream') clientStream(
    messages: Observable<Shape>,
  ): Observable<Shape> {
    return messages.pipe(
      count(),
      map((parts) => ({ stringValue: String(parts) })),
    );
  }
  /** Nobody can end a gRPC stream properly but its handler, once the server is to stop. */
  @GrpcMethod(SERVICE, 'ServerStream') serverStream(): Observable<Shape> {
    const isStopping = () =>
      this.host.state.services.some(
        ({ name, state }) => (name === 'grpc' || name === 'gateway') && state === 'stopping',
      );
    return interval(TICK_MS).pipe(
      // With the last message, so that a stream that was opened just before has had one.
      takeWhile(() => !isStopping(), true),
      map((tick) => ({ stringValue: String(tick) })),
    );
  }
}

export function serveWebSockets(app: INestApplication): void {
  const sockets = new WebSocketServer({ server: app.getHttpServer() as Server });
  sockets.on('connection', (socket) => {
    const timer = setInterval(() => socket.send('tick'), TICK_MS);
    socket.on('close', () => clearInterval(timer));
  });
}
