import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { crash } from './shop.fixture.js';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { RawClient } from '../http/raw-client.fixture.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { PANIC, PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

describe.each(PLATFORMS)('on %s', (name, platform) => {
  let running: Running;

  beforeAll(async () => {
    running = await start(platform);
  });
  afterAll(() => running.app.close());

  describe('a failure', () => {
    it.each([
      ['a handler', '/failing/handler', 'handler broke'],
      ['a handler that has waited', '/failing/late', 'handler broke'],
      ['a guard', '/failing/guard', 'guard broke'],
      ['a pipe', '/failing/pipe/1', 'pipe broke'],
      ['an interceptor', '/failing/interceptor', 'interceptor broke'],
    ])('of %s is one panic, with its stack and cause', async (_where, path, said) => {
      const { event, response, body } = await running.ask('GET', path);
      expect(response.status).toBe(500);
      expect(body).not.toMatch(/broke|disk full|at /);
      const panic = running.logged.withTemplate(PANIC).only();
      expect(panic).toMatchObject({
        level: 'error',
        Panic: said,
        message: `panic recovered: ${said}`,
        error: `${said}: disk full`,
        stack: expect.stringMatching(/shop\.fixture.*\n(?:.*\n)*Caused by: Error: disk full\n/),
        RequestId: event['RequestId'],
      });
      expect(event).toMatchObject({ level: 'error', status: 500 });
      expect(event).not.toHaveProperty('error');
      expect([...running.logged].filter(({ stack }) => stack !== undefined)).toEqual([panic]);
    });

    it('of a caller that leaves in the middle of its body is told by the event of the request', async () => {
      running.logged.clear();
      const client = await RawClient.to(running.port);
      client.send(
        'POST /orders HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Content-Length: 100',
        '',
        '{"id":',
      );
      const server = running.app.getHttpServer() as Server;
      await new Promise((resolve) => server.once('request', resolve));
      client.socket.destroy();
      const event = (await loggedUntil(running.logged, REQUEST)).only();
      // A body parser of Express answers it, although nobody is there.
      const status = name === 'Fastify' ? 499 : 400;
      expect(event).toMatchObject({ level: 'warn', status, Method: 'POST' });
      // What reads the body may tell it later.
      await fetch(`http://127.0.0.1:${running.port}/orders/number/1`);
      await loggedUntil(running.logged, REQUEST, 2);
      expect(running.logged.count).toBe(2);
    });

    it('of an HTTP client is a panic, which Nest 11 answers with the status of that client', async () => {
      const { event, response } = await running.ask('GET', '/failing/client');
      const [status, level] = withNest({ 11: [404, 'warn'], 12: [500, 'error'] });
      expect(response.status).toBe(status);
      expect(event).toMatchObject({ level, status });
      expect(running.logged.withTemplate(PANIC).count).toBe(1);
    });

    it('that is no Error has the stack of where it was caught', async () => {
      const { event } = await running.ask('GET', '/failing/text');
      expect(event).not.toHaveProperty('error');
      expect(running.logged.withTemplate(PANIC).only()).toMatchObject({
        error: 'just a text',
        Panic: 'just a text',
        stack: expect.stringContaining('\n    at '),
      });
    });

    it.each([
      ['/failing/missing', 404, { cause: 'row 7 is gone' }],
      ['/failing/status', 404, {}],
      ['/failing/teapot', 418, {}],
    ])('on purpose (%s) keeps its status %i and is no error', async (path, status, expected) => {
      const { event, response } = await running.ask('GET', path);
      expect(response.status).toBe(status);
      expect(event).toMatchObject({ level: 'warn', status, ...expected });
      expect(event).not.toHaveProperty('error');
      expect(running.logged.count).toBe(1);
    });

    it.each(['/failing/unavailable', '/failing/unavailable-status'])(
      'on purpose of the server (%s) is told by the event of the request',
      async (path) => {
        const { event, response, body } = await running.ask('GET', path);
        expect(response.status).toBe(503);
        expect(body).not.toMatch(/no database/);
        expect(event).toMatchObject({
          level: 'error',
          status: 503,
          error: 'come back later: no database',
          stack: expect.stringContaining('Caused by: Error: no database'),
        });
        expect(running.logged.count).toBe(1);
      },
    );
  });
});

/** A filter as apps have them: it answers everything, and logs nothing. */
@Catch()
class CatchAll implements ExceptionFilter {
  static adapter: AbstractHttpAdapter;

  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    CatchAll.adapter.reply(host.switchToHttp().getResponse(), { oh: 'no' }, status);
  }
}

@Controller('own')
@UseFilters(CatchAll)
class OwnFilterController {
  @Get('handler')
  handler(): never {
    crash('handler');
  }

  @Get('guard')
  @UseGuards({ canActivate: () => crash('guard') })
  guard(): void {}

  @Get('mapped')
  @UseFilters(
    new (class implements ExceptionFilter {
      catch(_exception: unknown, host: ArgumentsHost): void {
        CatchAll.adapter.reply(host.switchToHttp().getResponse(), 'gone', 410);
      }
    })(),
  )
  mapped(): never {
    crash('handler');
  }
}

describe.each(PLATFORMS)("with a filter of the app's own on %s", (_name, platform) => {
  describe.each([
    ['for the whole app', true, '/failing'],
    ['for a controller', false, '/own'],
  ])('%s', (_where, isGlobal, path) => {
    let running: Running;

    beforeAll(async () => {
      running = await start(platform, {
        controllers: [OwnFilterController],
        prepare: (app) => {
          CatchAll.adapter = app.getHttpAdapter() as AbstractHttpAdapter;
          if (isGlobal) app.useGlobalFilters(new CatchAll());
        },
      });
    });
    afterAll(() => running.app.close());

    it.each(['handler', 'guard'])(
      'a failure of a %s is told by the event of the request, once',
      async (where) => {
        const { event, response, body } = await running.ask('GET', `${path}/${where}`);
        expect([response.status, body]).toEqual([500, '{"oh":"no"}']);
        expect(event).toMatchObject({
          level: 'error',
          error: `${where} broke: disk full`,
          stack: expect.stringContaining('Caused by: Error: disk full'),
        });
        expect(running.logged.count).toBe(1);
      },
    );

    it('that makes of it what is no failure of the server, there is no error', async () => {
      const { event } = await running.ask('GET', '/own/mapped');
      expect(event).toMatchObject({ level: 'warn', status: 410, cause: 'disk full' });
      expect(event).not.toHaveProperty('error');
      expect(running.logged.count).toBe(1);
    });
  });
});
