import { describe, expect, it } from '@jest/globals';
import { OptionsError } from '@apix/contracts';
import { NestFactory } from '@nestjs/core';
import { mistakesOf, WRONG_GRPC, WRONG_HTTP } from '../request/wrong-options.fixture.js';
import { createLogger } from '../logger/create-logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { loggerOf } from './logger-source.js';
import { LogxModule } from './logx.module.js';

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
