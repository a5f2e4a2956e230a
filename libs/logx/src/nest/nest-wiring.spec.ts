import { describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLogger } from '../logger/create-logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxLoggerService } from './logx-logger.service.js';
import { LogxModule } from './logx.module.js';
import type { LogxNestLines } from './logx-module-options.js';

@Controller('orders')
class OrdersController {
  @Get() list(): string {
    return 'none';
  }
  @Get(':id') read(): string {
    return 'one';
  }
}

type Options = LoggerOptions & LogxNestLines;

function moduleWith(options: Options, logged: CollectingSink) {
  @Module({
    imports: [LogxModule.forRoot({ ...options, sinks: [logged] })],
    controllers: [OrdersController],
  })
  class App {}
  return App;
}

/** What an app logs from its creation until it has started. */
async function started(
  options: Options,
  use: (app: INestApplication) => void = (app) => app.useLogger(app.get(LogxLoggerService)),
): Promise<CollectingSink> {
  const logged = collectingSink();
  const app = await NestFactory.create(moduleWith(options, logged), { bufferLogs: true });
  use(app);
  await app.listen(0, '127.0.0.1');
  await app.close();
  return logged;
}

const COUNT = /^(\d+) lines about modules and routes are at level debug; /;
const countOf = ({ messages }: CollectingSink): string[] =>
  messages.flatMap((message) => COUNT.exec(message)?.[1] ?? []);
/** The levels of the lines of one context. */
const withLogger = (logged: CollectingSink, logger: string): string[] =>
  Array.from(logged.with({ logger }), ({ level }) => level);

describe("Nest's lines about modules and routes", () => {
  it('are counted by one line before the line that says that the app has started', async () => {
    const shown = await started({ level: 'debug' });
    const wiring = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer'].flatMap((name) =>
      withLogger(shown, name),
    );
    expect(new Set(wiring)).toEqual(new Set(['debug']));
    expect(withLogger(shown, 'RouterExplorer')).toHaveLength(2);
    expect(countOf(shown)).toEqual([]);
    const hidden = await started({});
    expect(countOf(hidden)).toEqual([String(wiring.length)]);
    expect(withLogger(hidden, 'InstanceLoader')).toEqual([]);
    const at = hidden.messages.findIndex((message) => COUNT.test(message));
    expect(hidden.messages[at + 1]).toBe('Nest application successfully started');
  });

  it('are at level information with the option wiring, and not counted', async () => {
    const logged = await started({ wiring: 'information' });
    expect(withLogger(logged, 'RouterExplorer')).toEqual(['info', 'info']);
    expect(countOf(logged)).toEqual([]);
  });

  it('keep their level in contexts that have a level of their own', async () => {
    const logged = await started({ levels: { RouterExplorer: 'information' } });
    expect(withLogger(logged, 'RouterExplorer')).toEqual(['info', 'info']);
    expect(withLogger(logged, 'RoutesResolver')).toEqual([]);
    expect(countOf(logged)).toHaveLength(1);
  });

  it('are neither written nor counted at level warning', async () => {
    expect((await started({ level: 'warning' })).count).toBe(0);
  });

  it('are counted when the buffered lines come after the start', async () => {
    const late = collectingSink();
    const module = moduleWith({}, late);
    const app = await NestFactory.create(module, { bufferLogs: true, autoFlushLogs: false });
    await app.init();
    expect(late.count).toBe(0);
    app.useLogger(app.get(LogxLoggerService));
    app.flushLogs();
    await app.close();
    expect(countOf(late)).toHaveLength(1);
  });

  it('are counted in an application context, which has no routes', async () => {
    const logged = collectingSink();
    const logger = new LogxLoggerService(createLogger({ sinks: [logged] }));
    @Module({ providers: [{ provide: LogxLoggerService, useValue: logger }] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger });
    await app.close();
    expect(withLogger(logged, 'InstanceLoader')).toEqual([]);
    expect(countOf(logged)).toEqual(['1']);
  });

  it('stay as they are in an app with a logger of its own', async () => {
    const lines: string[] = [];
    const own = {
      log: (_: unknown, context: string) => void lines.push(context),
      warn: () => {},
      error: () => {},
    };
    const logged = await started({}, (app) => app.useLogger(own));
    expect(lines.filter((context) => context === 'RouterExplorer')).toHaveLength(2);
    expect(countOf(logged)).toEqual([]);
  });

  it('keep the level of warnings and errors', () => {
    const logged = collectingSink();
    const service = new LogxLoggerService(createLogger({ sinks: [logged] }));
    service.warn('a route is mapped twice', 'RouterExplorer');
    service.error('no such module', undefined, 'InstanceLoader');
    expect(Array.from(logged, ({ level }) => level)).toEqual(['warn', 'error']);
  });

  it('refuse a level that the option does not know', () => {
    const wrong = { wiring: 'verbose' } as unknown as LogxNestLines;
    const app = NestFactory.create(moduleWith(wrong, collectingSink()), {
      logger: false,
      abortOnError: false,
    });
    return expect(app).rejects.toThrow(/wiring.*debug.*information/);
  });
});
