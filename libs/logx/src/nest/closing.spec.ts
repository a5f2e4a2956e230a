import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloseLast, thrownText } from '@apix/contracts';
import { HostxModule, OnStopped } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConsoleLogger,
  type DynamicModule,
  Global,
  type INestApplicationContext,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { type Program, program } from '../../../../tools/testing/program.js';
import { registerSinkType } from '../config/sink-types.js';
import { defaultLogger } from '../context/default-logger.js';
import { fromContext } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { fileSink } from '../sinks/file-sink.js';
import type { SinkSpec } from '../sinks/sink.js';
import { LogxModule } from './logx.module.js';
import { LOGX_LOGGER } from './tokens.js';

const QUIET = { logger: false, abortOnError: false } as const;

let trace: string[];
beforeEach(() => {
  trace = [];
});

/** A sink whose messages and end come into one list. */
function tracing(name = 'sink'): SinkSpec {
  return customSink({
    emit: ({ message }) => void trace.push(message),
    close: () => void trace.push(`${name} closed`),
  });
}

/** Logs until the last of its hooks; in the app's own module, and in a global one before the logger's. */
class Speaker implements OnApplicationShutdown {
  constructor(private readonly text: string) {}

  async onApplicationShutdown(): Promise<void> {
    fromContext().information('{Text} begins', this.text);
    await new Promise((resolve) => setImmediate(resolve));
    fromContext().information('{Text} has shut down', this.text);
  }
}

function speaker(text: string): { provide: symbol; useValue: Speaker } {
  return { provide: Symbol(text), useValue: new Speaker(text) };
}

@Global()
@Module({ providers: [speaker('global')] })
class Everywhere {}

function appOf(...imports: (DynamicModule | typeof Everywhere)[]) {
  @Module({ imports, providers: [speaker('own')] })
  class App {}
  return App;
}

const SPOKEN = [
  'own begins',
  'own has shut down',
  'global begins',
  'global has shut down',
  'sink closed',
];

/** A logger for Nest that keeps the errors. */
class Reports extends ConsoleLogger {
  readonly errors: string[] = [];

  override log(): void {}

  override error(message: unknown): void {
    this.errors.push((message as Error).message);
  }
}

const context: Start = (module) => NestFactory.createApplicationContext(module, QUIET);

type Start = (module: new () => object) => Promise<INestApplicationContext>;

const KINDS: readonly (readonly [string, Start])[] = [
  ['a context', context],
  [
    'an app on Express',
    async (module) => {
      const app = await NestFactory.create(module, QUIET);
      await app.listen(0, '127.0.0.1');
      return app;
    },
  ],
  [
    'an app on Fastify that was not initialised',
    (module) => NestFactory.create(module, new FastifyAdapter(), QUIET),
  ],
  [
    'a microservice',
    async (module) => {
      const app = await NestFactory.createMicroservice(module, {
        transport: Transport.TCP,
        options: { port: 0, host: '127.0.0.1' },
        ...QUIET,
      });
      await app.listen();
      return app;
    },
  ],
];

describe.each(KINDS)('without a host, %s', (_, start) => {
  it('closes the logger after all that still log', async () => {
    const app = await start(appOf(Everywhere, LogxModule.forRoot({ sinks: [tracing()] })));
    await app.close();
    expect(trace.toSorted()).toEqual(SPOKEN.toSorted());
    expect(trace.at(-1)).toBe('sink closed');
  });

  it('closes it once, however often it is closed', async () => {
    const useFactory = () => ({ sinks: [tracing()] });
    @Module({ imports: [LogxModule.forRootAsync({ useFactory })] })
    class App {}
    const app = await start(App);
    await Promise.all([app.close(), app.close()]);
    await app.close();
    expect(trace).toEqual(['sink closed']);
  });
});

describe('without a host', () => {
  it('a sink of a registered type is closed', async () => {
    registerSinkType('traced', () => tracing('traced'));
    const config = () => ({ sinks: [{ type: 'traced' as const }] });
    const app = await context(appOf(LogxModule.forRoot({ config })));
    await app.close();
    expect(trace.at(-1)).toBe('traced closed');
  });

  it('each module of an app closes its logger', async () => {
    const modules = ['first', 'second'].map((name) =>
      LogxModule.forRoot({ sinks: [tracing(name)] }),
    );
    const app = await context(appOf(...modules));
    await app.close();
    expect(trace.slice(-2)).toEqual(['first closed', 'second closed']);
  });

  it('a logger that was given is flushed, and left to the code that gave it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logx-closing-'));
    const file = join(folder, 'app.log');
    const logger = createLogger({ sinks: [fileSink(file, { gather: 1000 }), tracing()] });
    const app = await context(appOf(LogxModule.forRoot({ logger: logger.named('shop') })));
    await app.close();
    expect(await readFile(file, 'utf8')).toContain('own has shut down');
    expect(trace).not.toContain('sink closed');
    expect(defaultLogger()).not.toBe(logger);
    logger.information('afterwards');
    await logger.close();
    expect(trace.slice(-2)).toEqual(['afterwards', 'sink closed']);
    await rm(folder, { recursive: true });
  });

  it('a logger that a test provides is left to it', async () => {
    const logger = createLogger({ sinks: [tracing()] });
    for (const name of ['first', 'second']) {
      const testing = await Test.createTestingModule({ imports: [LogxModule.forRoot()] })
        .overrideProvider(LOGX_LOGGER)
        .useValue(logger)
        .compile();
      testing.get<Logger>(LOGX_LOGGER).information(name);
      await testing.close();
    }
    expect(trace).toEqual(['first', 'second']);
    await logger.close();
  });

  it('of two apps the one that runs has the default logger', async () => {
    const start = (name: string) => context(appOf(LogxModule.forRoot({ sinks: [tracing(name)] })));
    const before = defaultLogger();
    const first = await start('first');
    const second = await start('second');
    expect(defaultLogger()).toBe(second.get<Logger>(LOGX_LOGGER));
    await second.close();
    expect(defaultLogger()).toBe(first.get<Logger>(LOGX_LOGGER));
    await first.close();
    expect(defaultLogger()).toBe(before);
  });

  it('the first of two apps may be closed first', async () => {
    const start = (name: string) => context(appOf(LogxModule.forRoot({ sinks: [tracing(name)] })));
    const first = await start('first');
    const second = await start('second');
    await first.close();
    expect(defaultLogger()).toBe(second.get<Logger>(LOGX_LOGGER));
    await second.close();
  });

  it('a loss is reported to the error handler and to Nest', async () => {
    const errors: string[] = [];
    const sink = customSink({
      emit: () => {},
      close: () => Promise.reject(new Error('3 lines are lost')),
    });
    const report = LogxModule.forRoot({
      sinks: [sink, tracing()],
      errorHandler: ({ message }) => void errors.push(message),
    });
    const reported = new Reports();
    const app = await NestFactory.createApplicationContext(appOf(report), { logger: reported });
    const closed = await app.close().then(() => 'closed', thrownText);
    const text = 'logx: custom could not be closed: 3 lines are lost';
    expect(errors).toEqual([text]);
    // Nest 12 logs what a hook throws, and Nest 11 has close() reject with it.
    const told = `closer LoggerLife: ${text}`;
    const expected = withNest({ 11: [told, []], 12: ['closed', [told]] });
    expect([closed, reported.errors]).toEqual(expected);
    expect(trace.at(-1)).toBe('sink closed');
  });

  it.each([
    ['without a host', []],
    ['with the module of one', [HostxModule.forRoot({ logger: null })]],
  ])('an app whose init fails closes the logger when it is closed, %s', async (_, modules) => {
    @Injectable()
    class Broken implements OnModuleInit {
      onModuleInit(): void {
        throw new Error('no database');
      }
    }
    @Module({
      imports: [...modules, LogxModule.forRoot({ sinks: [tracing()] })],
      providers: [Broken],
    })
    class App {}
    const app = await NestFactory.create(App, QUIET);
    await expect(app.init()).rejects.toThrow('no database');
    await app.close();
    expect(trace).toEqual(['sink closed']);
  });

  it('other providers that are closed last are, once', async () => {
    @Injectable()
    @CloseLast()
    class Lock implements CloseLast {
      closeLast(): void {
        trace.push('lock freed');
      }
    }
    @Module({ imports: [LogxModule.forRoot({ sinks: [tracing()] })], providers: [Lock] })
    class App {}
    const app = await context(App);
    await app.close();
    await app.close();
    expect(trace).toEqual(['sink closed', 'lock freed']);
  });
});

describe('with a host', () => {
  @Injectable()
  class Late implements OnApplicationShutdown {
    onApplicationShutdown(): void {
      fromContext().information('shut down');
    }

    @OnStopped()
    stopped(): void {
      fromContext().information('stopped');
    }
  }

  it('closes the logger when the host has stopped all, after the app', async () => {
    @Module({ imports: [LogxModule.forRoot({ sinks: [tracing()] })], providers: [Late] })
    class App {}
    const { stop } = await startHost(App, { http: false, logger: null });
    await stop();
    expect(trace).toEqual(['shut down', 'stopped', 'sink closed']);
  });

  it('closes it once if main is plain', async () => {
    @Module({
      imports: [HostxModule.forRoot({ logger: null }), LogxModule.forRoot({ sinks: [tracing()] })],
      providers: [Late],
    })
    class App {}
    const app = await NestFactory.create(App, QUIET);
    await app.listen(0, '127.0.0.1');
    await app.close();
    expect(trace).toEqual(['stopped', 'shut down', 'sink closed']);
  });
});

describe('a line that comes after the end of the app', () => {
  let built: Program;
  beforeAll(async () => {
    built = await program(new URL('./late-lines.fixture.ts', import.meta.url));
  });
  afterAll(() => built.remove());

  it.each(['stdout', 'file'])('goes to standard error: %s', async (sink) => {
    const { out, err } = await built.run(sink).ended;
    expect(out).not.toContain('late');
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'info', message: 'late, by the logger', service: 'shop' },
      { level: 'error', message: 'late, by Nest', logger: 'Late' },
      { level: 'warn', message: 'late, by an injected logger', logger: 'Orders' },
    ]);
  });

  it('has the format of a console if the app had one', async () => {
    const { err } = await built.run('console').ended;
    expect(err).toContain('INF late, by the logger');
  });

  it('is not written if the app has no sinks', async () => {
    const { out, err } = await built.run('none').ended;
    expect([out, err]).toEqual(['', '']);
  });
});
