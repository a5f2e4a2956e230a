import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Res,
} from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { giveHeader, responseHeaderNames, responseHeaderOf } from '../patches/response-head.js';
import { enterApp, watchAppServer } from './enter-app.js';

interface Reply {
  readonly raw: ServerResponse;
  getHeader(name: string): unknown;
  header(name: string, value: string): void;
  hijack(): void;
}

type Answer = ServerResponse & Partial<Reply>;

const NAME = 'X-Given';
let res: ServerResponse;

@Controller('pages')
class Pages {
  @Get('plain')
  plain() {
    return 'ok';
  }

  @Get('found')
  found(@Res({ passthrough: true }) answer: Answer) {
    return { found: answer.getHeader(NAME) };
  }

  @Get('replaced')
  replaced(@Res({ passthrough: true }) answer: Answer) {
    if (answer.header === undefined) answer.setHeader('x-given', 'replaced');
    else answer.header('x-given', 'replaced');
    return 'ok';
  }

  @Get('raw')
  raw(@Res() answer: Answer) {
    answer.hijack?.();
    const raw = answer.raw ?? answer;
    raw.writeHead(200, { 'content-type': 'text/plain' });
    raw.end('ok');
  }

  @Get('raw-replaced')
  rawReplaced(@Res() answer: Answer) {
    answer.hijack?.();
    const raw = answer.raw ?? answer;
    raw.writeHead(200, 'Fine', { 'X-GIVEN': 'replaced' }).end('ok');
  }

  @Get('raw-list')
  rawList(@Res() answer: Answer) {
    answer.hijack?.();
    const raw = answer.raw ?? answer;
    raw.writeHead(200, ['Content-Type', 'text/plain']).end('ok');
  }

  @Get('raw-whole')
  rawWhole(@Res() answer: Answer) {
    answer.hijack?.();
    const raw = answer.raw ?? answer;
    raw.writeHead(200, { 'x-given': 'given', 'Content-Type': 'text/event-stream' }).end();
  }

  @Get('silent')
  silent(@Res() answer: Answer) {
    answer.hijack?.();
    (answer.raw ?? answer).end('ok');
  }

  @Get('stopped')
  stopped() {}
}

class Entrance implements OnModuleInit, OnApplicationShutdown {
  readonly #undo: (() => void)[];

  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {
    this.#undo = [
      enterApp(adapterHost, {
        place: 'log',
        request(_req, answer, run) {
          res = answer;
          giveHeader(answer, NAME, 'given');
          run();
        },
      }),
    ];
  }

  onModuleInit(): void {
    this.#undo.push(watchAppServer(this.adapterHost));
  }

  onApplicationShutdown(): void {
    for (const undo of this.#undo) undo();
  }
}

@Module({ controllers: [Pages], providers: [Entrance] })
class App {
  configure(consumer: MiddlewareConsumer) {
    const stop = (_req: unknown, answer: ServerResponse): void => void answer.end('stopped');
    consumer.apply(stop).forRoutes('pages/stopped');
  }
}

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

describe.each(PLATFORMS)('a header that is given to a response on %s', (platform, adapter) => {
  let app: NestFastifyApplication;

  beforeEach(async () => {
    app = await NestFactory.create<NestFastifyApplication>(App, adapter() as FastifyAdapter, {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
  });

  afterEach(() => app.close());

  const asked = async (path: string): Promise<Response> => fetch(`${await app.getUrl()}${path}`);

  it.each([
    ['/pages/plain', 'given'],
    ['/pages/found', 'given'],
    ['/pages/replaced', 'replaced'],
    ['/pages/raw', 'given'],
    ['/pages/raw-replaced', 'replaced'],
    ['/pages/raw-list', 'given'],
    ['/pages/silent', 'given'],
    ['/pages/stopped', 'given'],
    ['/pages/%ff', 'given'],
    ['/nowhere', 'given'],
  ])('is sent by %s once, as %s', async (path, value) => {
    expect((await asked(path)).headers.get(NAME)).toBe(value);
  });

  it('is found by the handler', async () => {
    expect(await (await asked('/pages/found')).json()).toEqual({ found: 'given' });
  });

  it('is among the headers of the response afterwards, with those of the framework', async () => {
    await asked('/pages/found');
    expect(responseHeaderOf(res, 'x-given')).toBe('given');
    expect(String(responseHeaderOf(res, 'content-type'))).toContain('application/json');
    expect(responseHeaderNames(res)).toEqual(expect.arrayContaining(['x-given', 'content-type']));
  });

  it('still finds the others in any letter case', async () => {
    await asked('/pages/raw-whole');
    expect(responseHeaderOf(res, 'content-type')).toBe('text/event-stream');
    expect(responseHeaderNames(res)).toEqual(expect.arrayContaining(['x-given', 'content-type']));
  });

  it('does not keep Fastify from writing all headers at once', async () => {
    await asked('/pages/plain');
    // Node keeps no names of headers that it was given by `writeHead` alone.
    expect(res.getHeaderNames().length === 0).toBe(platform === 'Fastify');
  });
});
