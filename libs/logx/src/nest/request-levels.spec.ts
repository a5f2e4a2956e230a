import { InfrastructureEndpoint, StatusError, Code } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  NotFoundException,
  type MessageEvent,
  ServiceUnavailableException,
  Sse,
} from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { setTimeout as delay } from 'node:timers/promises';
import { type Observable, of, timer, map, take } from 'rxjs';
import type { GrpcLogOptions } from '../grpc/grpc-options.js';
import type { GrpcOutcome } from '../grpc/grpc-outcome.js';
import type { HttpLogOptions } from '../http/http-options.js';
import type { HttpOutcome } from '../http/http-outcome.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { GrpcRunning, HOSTINGS } from './grpc-running.fixture.js';
import type { Text } from './probe-calls.fixture.js';
import { RequestLog } from './request-log.decorator.js';
import { PANIC, PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';
import { crash } from './shop.fixture.js';

const SLOW_MS = 30;

@Controller('quiet')
@RequestLog('debug')
class QuietController {
  @Get()
  fine(): string {
    return 'ok';
  }

  @Get('failing')
  failing(): never {
    throw new NotFoundException();
  }

  @Get('silent')
  @RequestLog('off')
  silent(): string {
    return 'ok';
  }

  @Get('loud')
  @RequestLog('warning')
  loud(): string {
    return 'ok';
  }
}

@Controller('slow')
class SlowController {
  @Get()
  async slow(): Promise<string> {
    await delay(SLOW_MS * 2);
    return 'ok';
  }

  @Sse('stream')
  stream(): Observable<MessageEvent> {
    return timer(SLOW_MS * 2).pipe(
      take(1),
      map(() => ({ data: 'x' })),
    );
  }
}

@Controller('probe')
@InfrastructureEndpoint()
class ProbesController {
  @Get()
  fine(): string {
    return 'ok';
  }

  @Get('unready')
  unready(): never {
    throw new ServiceUnavailableException('not ready', { cause: new Error('no database') });
  }

  @Get('broken')
  broken(): never {
    crash('probe');
  }
}

const controllers = [QuietController, SlowController, ProbesController];

describe.each(PLATFORMS)('on %s', (_name, platform) => {
  let running: Running;
  afterEach(() => running.app.close());

  async function started(http: HttpLogOptions): Promise<Running> {
    running = await start(platform, { http, controllers, level: 'debug' });
    return running;
  }

  /** The status and level of the event of each request that has one. */
  async function levelsOf(...paths: string[]): Promise<Record<string, unknown>> {
    for (const path of [...paths, '/last']) {
      await (await fetch(`http://127.0.0.1:${running.port}${path}`)).text();
    }
    const events = () => [...running.logged.withTemplate(REQUEST)];
    while (events().at(-1)?.['Path'] !== '/last') await delay(1);
    return Object.fromEntries(
      events()
        .slice(0, -1)
        .map(({ Path, level }) => [Path, level]),
    );
  }

  it('levels by status and by hundred are taken, the status first', async () => {
    await started({ levels: { 404: 'information', '4xx': 'error', '2xx': 'debug', 403: 'off' } });
    const paths = ['/orders', '/nowhere', '/orders/number/x', '/failing/denied'];
    expect(await levelsOf(...paths)).toEqual({
      '/orders': 'debug',
      '/nowhere': 'info',
      '/orders/number/x': 'error',
    });
  });

  it('a function of the outcome chooses, and one that throws leaves the level', async () => {
    const seen: HttpOutcome[] = [];
    await started({
      levels: (outcome) => {
        seen.push(outcome);
        if (outcome.status === 418) throw new Error('no');
        return outcome.route === '/orders' ? 'off' : outcome.status === 404 ? 'info' : undefined;
      },
    });
    expect(await levelsOf('/orders', '/failing/missing', '/failing/teapot')).toEqual({
      '/failing/missing': 'info',
      '/failing/teapot': 'warn',
    });
    expect(seen[1]).toMatchObject({
      status: 404,
      route: '/failing/missing',
      handler: 'FailingController.missing',
      durationMs: expect.any(Number),
      error: expect.any(NotFoundException),
      level: 40,
      ended: undefined,
    });
    expect(seen[0]!.request.url).toBe('/orders');
  });

  it('an error keeps its error and stack at whatever level it is told', async () => {
    await started({ levels: { 503: 'information' } });
    const { event } = await running.ask('GET', '/failing/unavailable');
    expect(event).toMatchObject({
      level: 'info',
      error: expect.stringContaining('no database'),
    });
  });

  it('slow requests are warnings at least, but streams are as long as they are', async () => {
    await started({ slow: SLOW_MS, levels: { '2xx': 'debug' } });
    const events = await levelsOf('/slow', '/slow/stream');
    expect(events).toEqual({ '/slow': 'warn', '/slow/stream': 'debug' });
  });

  it('@RequestLog sets the level of what went well, by handler or class, and silences', async () => {
    await started({});
    const paths = ['/quiet', '/quiet/failing', '/quiet/silent', '/quiet/loud'];
    expect(await levelsOf(...paths)).toEqual({
      '/quiet': 'debug',
      '/quiet/failing': 'warn',
      '/quiet/loud': 'warn',
    });
  });

  it.each<[string, HttpLogOptions, Record<string, string>]>([
    [
      'all',
      {},
      { '/probe': 'info', '/probe/unready': 'error', '/orders': 'info', '/orders/file': 'info' },
    ],
    [
      'debug',
      { probes: 'debug', probePaths: ['/orders'] },
      { '/probe': 'debug', '/probe/unready': 'error', '/orders': 'debug', '/orders/file': 'info' },
    ],
    ['off', { probes: 'off', probePaths: ['/orders'] }, { '/orders/file': 'info' }],
  ])('probes: %s is what probes leave in the log', async (_what, http, expected) => {
    await started(http);
    const paths = ['/probe', '/probe/unready', '/orders', '/orders/file'];
    expect(await levelsOf(...paths)).toEqual(expected);
  });

  it.each<[string, HttpLogOptions, object]>([
    ['all', {}, { '@mt': REQUEST, status: 500 }],
    ['debug', { probes: 'debug' }, { '@mt': REQUEST, status: 500 }],
    ['off', { probes: 'off' }, { '@mt': PANIC }],
    ['off by its level', { levels: { 500: 'off' } }, { '@mt': PANIC }],
  ])('with probes: %s a probe that breaks is one event', async (_what, http, expected) => {
    await started(http);
    await levelsOf('/probe/broken');
    const errors = [...running.logged].filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      { ...expected, error: 'probe broke: disk full', stack: expect.stringContaining('disk full') },
    ]);
    expect(errors).toHaveLength(1);
  });
});

@Controller()
class CallsController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  @RequestLog('debug')
  async unary({ stringValue }: Text): Promise<Text> {
    if (stringValue === 'slow') await delay(SLOW_MS * 2);
    if (stringValue === 'missing') throw new StatusError(Code.NOT_FOUND, 'not here');
    return { stringValue };
  }

  @GrpcMethod('apix.testdata.Probe', 'ServerStream')
  @RequestLog('off')
  serverStream({ stringValue }: Text): Observable<Text> {
    return of({ stringValue });
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'ClientStream')
  @RequestLog('warning')
  clientStream(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(take(1));
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'BidiStream')
  bidiStream(texts: Observable<Text>): Observable<Text> {
    return texts;
  }
}

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  let running: GrpcRunning;
  afterEach(() => running.close());

  async function started(grpc: GrpcLogOptions): Promise<void> {
    running = await GrpcRunning.start(hosting, CallsController, { grpc, level: 'debug' });
  }

  const levelOf = async (kind: string, text = 'hello'): Promise<unknown> =>
    (await running.ask(kind, [text])).event.level;

  it('levels by code and route are taken', async () => {
    await started({ levels: { NOT_FOUND: 'information' }, slow: '1h' });
    expect(await levelOf('Unary')).toBe('debug');
    expect(await levelOf('Unary', 'missing')).toBe('info');
    expect(await levelOf('BidiStream')).toBe('info');
    expect(await levelOf('ClientStream')).toBe('warn');
  });

  it('slow calls are warnings at least, but streams are as long as they are', async () => {
    await started({ slow: 0 });
    expect(await levelOf('Unary', 'slow')).toBe('warn');
    expect(await levelOf('BidiStream')).toBe('info');
  });

  it('a function of the outcome chooses', async () => {
    const seen: GrpcOutcome[] = [];
    await started({
      levels: (outcome) => {
        seen.push(outcome);
        return 'warning';
      },
    });
    const { event } = await running.ask('BidiStream');
    expect(event.level).toBe('warn');
    expect(seen).toMatchObject([
      {
        method: '/apix.testdata.Probe/BidiStream',
        code: 'OK',
        durationMs: expect.any(Number),
        handler: expect.stringContaining('CallsController'),
        level: 30,
      },
    ]);
  });

  it('a caller that cancels is a warning, unless levels say otherwise', async () => {
    for (const [levels, level] of [
      [undefined, 'warn'],
      [{ CANCELLED: 'information' }, 'info'],
    ] as const) {
      await started({ levels });
      const { stream } = running.open('BidiStream');
      stream.resume();
      stream.write({ stringValue: 'hello' });
      await new Promise((resolve) => stream.once('data', resolve));
      stream.cancel();
      const event = (await loggedUntil(running.logged, 'gRPC {Method} -> {Code}')).only();
      expect(event).toMatchObject({ code: 'CANCELLED', level });
      if (level === 'warn') await running.close();
    }
  });

  it('a silent route leaves no event', async () => {
    await started({});
    const { stream, ended } = running.open('ServerStream');
    stream.resume();
    stream.end({ stringValue: 'hello' });
    expect((await ended).status).toBe('OK');
    const { event } = await running.ask('BidiStream');
    expect(event['method']).toBe('/apix.testdata.Probe/BidiStream');
  });
});
