import { describe, expect, it } from '@jest/globals';
import { OptionsError } from '@apix/contracts';
import { logStage } from '../grpc/log-stage.js';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { mistakesOf, WRONG_GRPC, WRONG_HTTP } from '../request/wrong-options.fixture.js';
import { httpMiddleware } from './http-middleware.js';

const logger = createLogger({ sinks: [collectingSink()] });

describe('httpMiddleware', () => {
  it.each(WRONG_HTTP)('refuses the wrong options %j', (options, mistakes) => {
    expect(mistakesOf(() => httpMiddleware(logger, options))).toEqual(mistakes);
  });

  it('reports all wrong options together, with the package in front', () => {
    const options = Object.assign({}, ...WRONG_HTTP.slice(0, 3).map(([each]) => each as object));
    expect(() => httpMiddleware(logger, options as object)).toThrow(
      new OptionsError(
        'logx',
        WRONG_HTTP.slice(0, 3).flatMap(([, mistakes]) => mistakes),
      ),
    );
  });
});

describe('logStage', () => {
  it.each(WRONG_GRPC)('refuses the wrong options %j', (options, mistakes) => {
    expect(mistakesOf(() => logStage(logger, options))).toEqual(mistakes);
  });
});
