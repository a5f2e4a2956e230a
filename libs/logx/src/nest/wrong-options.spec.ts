import { describe, expect, it } from '@jest/globals';
import { OptionsError } from '@apix/contracts';
import { NestFactory } from '@nestjs/core';
import { mistakesOf, WRONG_GRPC, WRONG_HTTP } from '../request/wrong-options.fixture.js';
import { createLogger } from '../logger/create-logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { loggerOf } from './logger-source.js';
import { LogxModule } from './logx.module.js';
import type { LogxModuleOptions } from './logx-module-options.js';

const WRANING: unknown = expect.stringMatching(/^level: unknown level "wraning"; use one of /);

/** Of a wrong option of a door, with its place in the options of the module. */
function placed(door: string, mistakes: readonly string[]): string[] {
  return mistakes.map((text) => (text.startsWith('must') ? `${door}: ${text}` : `${door}.${text}`));
}

describe('LogxModule', () => {
  it.each(WRONG_HTTP)('refuses the wrong http options %j', (http, mistakes) => {
    expect(mistakesOf(() => loggerOf({ http }))).toEqual(placed('http', mistakes));
  });

  it.each(WRONG_GRPC)('refuses the wrong grpc options %j', (grpc, mistakes) => {
    expect(mistakesOf(() => loggerOf({ grpc }))).toEqual(placed('grpc', mistakes));
  });

  it('refuses wrong doors of a logger that exists', () => {
    const logger = createLogger({ sinks: [collectingSink()] });
    const [[http, mistakes]] = WRONG_HTTP as [(typeof WRONG_HTTP)[number]];
    expect(mistakesOf(() => loggerOf({ logger, http }))).toEqual(placed('http', mistakes));
  });

  it.each<[object, unknown[]]>([
    [{ levl: 'info' }, ['levl: is not known here; did you mean level?']],
    [{ htpp: false }, ['htpp: is not known here; did you mean http?']],
    [{ http: { skipp: 1 } }, ['http.skipp: is not known here; did you mean skip?']],
    [{ grpc: { header: 'a' } }, [expect.stringMatching(/^grpc.header: is not known here; use/)]],
    [{ logger: 5 }, ['logger: must be a logger, such as createLogger(), not 5']],
    [{ logger: console }, ['logger: must be a logger, such as createLogger(), not an object']],
    [{ configFile: '' }, ['configFile: must be a non-empty string, not ""']],
    [
      { configFile: 'log.yaml', level: 'debug', http: { field: '' } },
      [
        'http.field: must be a non-empty string, not ""',
        'level: cannot be given together with configFile, which has its own',
      ],
    ],
    [{ config: { level: 'debug' } }, ['config: must be a function or a Config, not an object']],
    [
      { config: () => ({}), level: 'debug', configFile: 'log.yaml' },
      [
        'level: cannot be given together with configFile, which has its own',
        'config: cannot be given together with configFile, which has its own',
      ],
    ],
    [
      { config: () => Promise.resolve({}) },
      ['config: must return the document itself, not a promise of it'],
    ],
    [
      { logger: createLogger({ sinks: [collectingSink()] }), configFile: 'a', render: true },
      [
        'render: cannot be given together with logger, which has its own',
        'configFile: cannot be given together with logger, which has its own',
      ],
    ],
    [{ level: 'wraning', render: 'no' }, ['render: must be true or false, not "no"', WRANING]],
    [
      { render: false, renderedMessage: true },
      ['render: cannot be given together with renderedMessage, which is the same'],
    ],
    [
      { redact: ['a..b'], sinks: [{ type: 'console', fromat: 'ecs' }] },
      [
        expect.stringMatching(/^redact\[0\]: the redact path "a..b" is not valid/),
        'sinks[0].fromat: is not known here; did you mean format?',
      ],
    ],
  ])('refuses %j', (options, mistakes) => {
    expect(mistakesOf(() => loggerOf(options as LogxModuleOptions))).toEqual(mistakes);
  });

  it.each([null, undefined, 'debug', []])(
    'refuses %j for options, as a factory may return it',
    (options) => {
      expect(mistakesOf(() => loggerOf(options as never))).toEqual([
        expect.stringMatching(/^must be an object, not /),
      ]);
    },
  );

  it('takes the options of a logger and the words of a document together', async () => {
    const logged = collectingSink();
    const options = {
      render: false,
      redact: ['Card'],
      sinks: [logged, { type: 'stderr', level: 'fatal' }],
    };
    const logger = loggerOf(options as LogxModuleOptions);
    logger.info('paid with {Card}', 4242);
    expect(logged.only()).toMatchObject({ '@mt': 'paid with {Card}', Card: '[Redacted]' });
    expect(logged.only()).not.toHaveProperty('message');
    await logger.close();
  });

  it('reports the wrong options of both doors and of the logger together, and opens no sink', async () => {
    const opened: string[] = [];
    const sink = customSink({ write: () => {} });
    const open = (): never => {
      opened.push(sink.kind);
      throw new Error('opened');
    };
    const starting = NestFactory.createApplicationContext(
      LogxModule.forRoot({
        http: { header: '' },
        grpc: { metadataKey: '' },
        caller: 'yes' as never,
        sinks: [{ ...sink, open }],
      }),
      { logger: false, abortOnError: false },
    );
    await expect(starting).rejects.toEqual(
      new OptionsError('logx', [
        'http.header: must be the name of an HTTP header, not ""',
        'grpc.metadataKey: must be the name of a text entry of gRPC metadata, such as ' +
          '"x-request-id", not ""',
        'caller: must be true or false, not "yes"',
      ]),
    );
    expect(opened).toEqual([]);
  });
});
