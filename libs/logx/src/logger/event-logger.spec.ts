import { describe, expect, it } from '@jest/globals';
import { LEVELS, Level } from '../levels/level.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';

const METHODS = [
  ['verbose', Level.Verbose],
  ['debug', Level.Debug],
  ['information', Level.Information],
  ['info', Level.Information],
  ['log', Level.Information],
  ['warning', Level.Warning],
  ['warn', Level.Warning],
  ['error', Level.Error],
] as const;

describe.each(METHODS)('the method %s', (method, level) => {
  it('writes at its level and below it, and above it nothing', () => {
    const written = LEVELS.map((minimum) => {
      const sink = collectingSink();
      const logger = createLogger({ level: minimum, sinks: [sink] });
      logger[method]('a text of {Level}', minimum);
      logger[method]({ minimum }, 'an object first');
      return sink.lines.length;
    });
    expect(written).toEqual(LEVELS.map((minimum) => (minimum <= level ? 2 : 0)));
  });
});
