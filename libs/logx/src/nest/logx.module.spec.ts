import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OnReload } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { fromContext } from '../context/logger-context.js';
import { configOf, loadConfig } from '../config/load-config.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { fileSink } from '../sinks/file-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxModule } from './logx.module.js';
import type { LogxModuleOptions } from './logx-module-options.js';
import { LOGX_LOGGER, loggerToken } from './tokens.js';

@Injectable()
class Speaker {
  @InjectLogger('property') readonly property!: Logger;

  constructor(
    @InjectLogger() readonly own: Logger,
    @InjectLogger('named') readonly named: Logger,
  ) {}
}

const QUIET = { logger: false, abortOnError: false } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logx-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An app without doors whose logger comes from the options; it says hello and goes. */
async function greet(module: ReturnType<typeof LogxModule.forRoot>): Promise<void> {
  @Module({ imports: [module] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, QUIET);
  app.get<Logger>(LOGX_LOGGER).information('hello');
  app.get<Logger>(LOGX_LOGGER).debug('psst');
  await app.close();
}

describe('the logger of the module', () => {
  it('comes from options', async () => {
    const logged = collectingSink();
    await greet(LogxModule.forRoot({ level: 'debug', sinks: [logged] }));
    expect(logged.messages).toEqual(['hello', 'psst']);
  });

  it('may exist already', async () => {
    const logged = collectingSink();
    await greet(LogxModule.forRoot({ logger: createLogger({ sinks: [logged] }) }));
    expect(logged.messages).toEqual(['hello']);
  });

  it.each<[string, (path: string) => Promise<LogxModuleOptions>]>([
    ['a document', (path) => Promise.resolve({ level: 'debug', sinks: [{ type: 'file', path }] })],
    [
      'a file with one',
      async (path) => {
        const configFile = join(folder, 'log.yaml');
        await writeFile(configFile, `level: debug\nsinks: [{ type: file, path: '${path}' }]\n`);
        return { configFile };
      },
    ],
    [
      'one that was read',
      (path) => {
        const text = `level: debug\nsinks: [{ type: file, path: '${path}' }]`;
        return Promise.resolve({ config: loadConfig(text) });
      },
    ],
    [
      'a function that reads one',
      (path) => {
        const sinks = [{ type: 'file', path }];
        return Promise.resolve({ config: () => configOf({ level: 'debug', sinks }) });
      },
    ],
  ])('comes from %s', async (what, optionsOf) => {
    const path = join(folder, `${what}.json`);
    await greet(LogxModule.forRoot(await optionsOf(path)));
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'hello',
      'psst',
    ]);
  });

  it('comes from a factory', async () => {
    const logged = collectingSink();
    const useFactory = (): Promise<LogxModuleOptions> => Promise.resolve({ sinks: [logged] });
    await greet(LogxModule.forRootAsync({ useFactory }));
    expect(logged.messages).toEqual(['hello']);
  });

  it('is refused with every mistake of its document', async () => {
    const document = {
      level: 'loud',
      sinks: [{ type: 'file', path: 'x', rotation: { every: 'loose' } }],
    } as unknown as LogxModuleOptions;
    await expect(greet(LogxModule.forRoot(document))).rejects.toThrow(/level[^]*loose/);
  });
});

describe('an injected logger', () => {
  it.each([
    ['own', 'Speaker'],
    ['named', 'named'],
    ['property', 'property'],
  ] as const)('(%s) has its name, %s, in all it says', async (which, logger) => {
    const logged = collectingSink();
    @Module({ imports: [LogxModule.forRoot({ sinks: [logged] })], providers: [Speaker] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, QUIET);
    const log = app.get(Speaker)[which];
    log.information('one');
    log.forContext('a', 1).warning('two');
    log.error(new Error('why'), 'three');
    expect([...logged].map((event) => event['logger'])).toEqual([logger, logger, logger]);
    expect(log.enabled(1 as never)).toBe(false);
    await expect(log.close()).rejects.toThrow('only the root logger can be closed');
    await app.close();
  });

  it('can be put in the place of another, for a test', async () => {
    const logged = collectingSink();
    const useValue = createLogger({ sinks: [logged] });
    @Module({
      imports: [LogxModule.forRoot({ sinks: [] })],
      providers: [Speaker, { provide: loggerToken('named'), useValue }],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, QUIET);
    app.get(Speaker).named.information('hello');
    await app.close();
    expect(logged.messages).toEqual(['hello']);
  });
});

describe('under a host', () => {
  it('takes its level from the file again on a reload, and is closed last', async () => {
    const path = join(folder, 'host.json');
    const configFile = join(folder, 'host.yaml');
    const configure = (level: string): Promise<void> =>
      writeFile(configFile, `level: ${level}\nsinks: [{ type: file, path: '${path}' }]\n`);
    await configure('warning');

    @Injectable()
    class Late implements OnModuleDestroy {
      onModuleDestroy(): void {
        fromContext().debug('destroyed');
      }

      @OnReload()
      reload(): void {}
    }
    @Module({ imports: [LogxModule.forRoot({ configFile })], providers: [Late] })
    class App {}
    const { host, stop } = await startHost(App, { http: false });
    fromContext().debug('not yet');
    await configure('debug');
    await host.reload();
    fromContext().debug('now');
    await stop();
    fromContext().error(null, 'too late');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'now',
      'destroyed',
    ]);
  });

  it.each<[string, (root: Logger) => Logger]>([
    ['itself', (root) => root],
    ['a child', (root) => root.named('shop').withLevel('debug')],
    ['a child of a child', (root) => root.forContext('a', 1).withStackTrace(true)],
  ])('closes the sinks of a logger that was given as %s', async (_, of) => {
    const path = join(folder, `given-${_.replaceAll(' ', '-')}.json`);
    const calls: string[] = [];
    const sink = customSink({ write: () => {}, close: () => void calls.push('close') });
    const logger = of(createLogger({ sinks: [fileSink(path), sink] }));
    @Module({ imports: [LogxModule.forRoot({ logger })] })
    class App {}
    const { stop } = await startHost(App, { http: false });
    logger.information('here');
    await stop();
    logger.information('too late');
    expect(calls).toEqual(['close']);
    expect((await readFile(path, 'utf8')).match(/"message":"[^"]*"/g)).toEqual([
      '"message":"here"',
    ]);
  });

  it('keeps its level when the file cannot be read on a reload, and says so', async () => {
    const configFile = join(folder, 'gone.yaml');
    await writeFile(configFile, 'level: warning\nsinks: []\n');
    @Module({ imports: [LogxModule.forRoot({ configFile })] })
    class App {}
    const { app, host, stop } = await startHost(App, { http: false });
    await rm(configFile);
    await mkdir(configFile);
    await expect(host.reload()).rejects.toThrow(/cannot read the configuration: EISDIR/);
    expect(app!.get<Logger>(LOGX_LOGGER).enabled(30)).toBe(false);
    await stop();
  });
});
