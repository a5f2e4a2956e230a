import type { Server } from 'node:http';
import { Body, Controller, Get, type MessageEvent, Module, Post, Res, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NEVER, type Observable, startWith } from 'rxjs';

/** Larger than what sockets buffer, so that a client that does not read holds it up. */
export const BIG_BYTES = 20_000_000;

/** A handler that waits until a test lets it go, and tells when it began. */
export class Gate {
  #enter = (): void => {};
  #open = (): void => {};
  readonly entered = new Promise<void>((resolve) => (this.#enter = resolve));
  readonly opened = new Promise<void>((resolve) => (this.#open = resolve));

  async pass(): Promise<void> {
    this.#enter();
    await this.opened;
  }

  open(): void {
    this.#open();
  }
}

interface AnyReply {
  header(name: string, value: string): unknown;
  send(body: string): unknown;
}

/** A Nest app whose routes do what a drain must cope with. */
export async function site(
  platform: 'Express' | 'Fastify',
  gate: Gate,
): Promise<{ readonly server: Server; readonly close: () => Promise<void> }> {
  @Controller()
  class Site {
    @Get('now') now() {
      return 'now';
    }
    @Get('slow') async slow() {
      await gate.pass();
      return 'slow';
    }
    @Get('proxied') async proxied(@Res() reply: AnyReply) {
      await gate.pass();
      reply.header('Connection', 'keep-alive');
      reply.header('Keep-Alive', 'timeout=5');
      reply.send('proxied');
    }
    @Get('big') big() {
      return 'x'.repeat(BIG_BYTES);
    }
    @Post('upload') upload(@Body() body: { readonly text: string }) {
      return `got ${body.text.length}`;
    }
    @Sse('events') events(): Observable<MessageEvent> {
      return NEVER.pipe(startWith({ data: 'first' }));
    }
  }
  @Module({ controllers: [Site] })
  class SiteModule {}

  const options = { logger: false, abortOnError: false } as const;
  if (platform === 'Express') {
    const app = await NestFactory.create(SiteModule, options);
    await app.init();
    return { server: app.getHttpServer() as Server, close: () => app.close() };
  }
  const app = await NestFactory.create(SiteModule, new FastifyAdapter(), options);
  await app.init();
  await (app.getHttpAdapter().getInstance() as { ready(): PromiseLike<unknown> }).ready();
  return { server: app.getHttpServer() as Server, close: () => app.close() };
}
