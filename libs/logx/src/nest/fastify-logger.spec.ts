import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { createLogger } from '../logger/create-logger.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';
import { REQUEST, Running } from './running.fixture.js';

@Controller()
class GreetingController {
  @Get('hello')
  hello(@Req() { log }: FastifyRequest): string {
    log.child({ part: 'greeting' }).info({ to: 'Ada' }, 'hello %s', 'Ada');
    log.error(new Error('hoarse', { cause: new Error('cold') }), 'cannot sing');
    log.trace('not to be seen');
    return 'hello';
  }
}

async function start(options: object): Promise<Running> {
  const logged = collectingSink();
  const logger = createLogger({ sinks: [logged] });
  @Module({ imports: [LogxModule.forRoot({ logger })], controllers: [GreetingController] })
  class App {}
  const adapter = new FastifyAdapter({ loggerInstance: logger.pino, ...options });
  const app = await NestFactory.create(App, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  return new Running(app, logged);
}

describe('logger.pino, given to Fastify,', () => {
  it('writes events for calls of request.log, with the id of the request', async () => {
    const running = await start({
      disableRequestLogging: true,
      requestIdHeader: 'x-request-id',
      requestIdLogLabel: 'RequestId',
    });
    const { event } = await running.ask('GET', '/hello');
    await running.app.close();
    const { RequestId } = event;
    expect(RequestId).toMatch(/^[0-9a-f]{32}$/);
    expect(running.logged.saying('hello Ada').only()).toMatchObject({
      level: 'info',
      to: 'Ada',
      part: 'greeting',
      RequestId,
    });
    expect(running.logged.saying('cannot sing').only()).toMatchObject({
      level: 'error',
      error: 'hoarse: cold',
      RequestId,
    });
    expect(running.logged.count).toBe(3);
  });

  it("takes Fastify's own lines about requests, and about itself", async () => {
    const running = await start({});
    await running.ask('GET', '/hello');
    await loggedUntil(running.logged, 'request completed');
    await running.app.close();
    expect(running.logged.withTemplate('incoming request').only()).toMatchObject({
      reqId: 'req-1',
      req: { method: 'GET', url: '/hello' },
    });
    expect(running.logged.withTemplate('request completed').only()).toMatchObject({
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
    });
    expect(running.logged.withTemplate(REQUEST).count).toBe(1);
  });
});
