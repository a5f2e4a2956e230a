import type { ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Res, Sse, StreamableFile } from '@nestjs/common';
import { Observable } from 'rxjs';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { LogxLoggerService } from './logx-logger.service.js';
import { PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

const SENT = '0123456789';
const broken = (): Error => new Error('disk broke', { cause: new Error('sector 7') });

async function* parts(): AsyncGenerator<string> {
  yield SENT;
  // What was sent reaches the caller first.
  await after(5);
  throw broken();
}

/** A response of either framework; Fastify's has the raw one inside. */
interface Reply extends ServerResponse {
  readonly raw?: ServerResponse;
  hijack?(): void;
  send(body: unknown): void;
}

function rawOf(reply: Reply): ServerResponse {
  reply.hijack?.();
  return reply.raw ?? reply;
}

async function sent(reply: Reply): Promise<ServerResponse> {
  const raw = rawOf(reply);
  raw.write(SENT);
  await after(5);
  return raw;
}

@Controller('broken')
class BrokenController {
  @Get('file') file(): StreamableFile {
    return new StreamableFile(Readable.from(parts(), { objectMode: false }));
  }
  @Get('pipe') pipe(@Res() reply: Reply): void {
    const source = Readable.from(parts());
    if (reply.raw !== undefined) return reply.send(source);
    source.on('error', () => reply.destroy()).pipe(reply);
  }
  @Get('pipeline') async pipeline(@Res() reply: Reply): Promise<void> {
    await pipeline(Readable.from(parts()), new PassThrough(), rawOf(reply)).catch(() => {});
  }
  @Get('generator') async generator(@Res() reply: Reply): Promise<void> {
    await pipeline(parts, rawOf(reply)).catch(() => {});
  }
  @Get('thrown') async thrown(@Res() reply: Reply): Promise<void> {
    await pipeline(parts, rawOf(reply));
  }
  @Get('destroyed') async destroyed(@Res() reply: Reply): Promise<void> {
    (await sent(reply)).destroy(broken());
  }
  @Get('silent') async silent(@Res() reply: Reply): Promise<void> {
    (await sent(reply)).destroy();
  }
  @Get('web') web(@Res() reply: Reply): void {
    const source = Readable.from(parts(), { objectMode: false });
    if (reply.raw === undefined) source.on('error', () => reply.destroy()).pipe(reply);
    else reply.send(Readable.toWeb(source));
  }
  @Sse('events') events(): Observable<object> {
    return new Observable((observer) => {
      observer.next({ data: 'x' });
      void after(5).then(() => observer.error(broken()));
    });
  }
}

const WAYS = ['file', 'pipe', 'pipeline', 'generator', 'thrown', 'destroyed'];
const OTHER = 'an adapter of another type';

describe.each(PLATFORMS)('on %s a response that breaks off', (name, platform) => {
  describe.each([
    ['with the logger of Nest', true],
    ['without it', false],
  ])('%s', (_how, hasLogger) => {
    let running: Running;

    beforeAll(async () => {
      running = await start(platform, {
        controllers: [BrokenController],
        prepare: (app) => hasLogger && app.useLogger(app.get(LogxLoggerService)),
      });
    });
    afterAll(() => running.app.close());

    const ask = async (way: string) => {
      running.logged.clear();
      const body = await fetch(`http://127.0.0.1:${running.port}/broken/${way}`)
        .then((response) => response.text())
        .catch(() => 'broken off');
      const event = (await loggedUntil(running.logged, REQUEST)).only();
      const failed = [...running.logged].filter(({ error, stack }) => error ?? stack);
      return { body, event, failed };
    };

    // The other adapter knows no StreamableFile.
    it.each(WAYS.filter((way) => name !== OTHER || way !== 'file'))(
      'by way of %s is an error, and one event has the reason',
      async (way) => {
        const { body, event, failed } = await ask(way);
        expect(body).toBe('broken off');
        expect(event).toMatchObject({ level: 'error', status: 200, bytes: 10, ended: 'server' });
        expect(failed).toEqual([
          expect.objectContaining({
            level: 'error',
            error: 'disk broke: sector 7',
            stack: expect.stringContaining('Caused by: Error: sector 7'),
            RequestId: event['RequestId'],
          }),
        ]);
      },
    );

    it.each(['silent', 'web'])('by way of %s is an error', async (way) => {
      const { body, event } = await ask(way);
      expect(body).toBe('broken off');
      expect(event).toMatchObject({ level: 'error', status: 200, ended: 'server' });
    });

    it('is none where Nest tells the caller of events and ends it', async () => {
      const { body, event, failed } = await ask('events');
      expect(body).toContain('event: error');
      expect(event).toMatchObject({ level: 'info', status: 200 });
      expect(event).not.toHaveProperty('ended');
      expect(failed).toHaveLength(hasLogger ? 1 : 0);
    });
  });
});
