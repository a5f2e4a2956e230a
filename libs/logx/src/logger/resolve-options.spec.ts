import { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { fileSink } from '../sinks/file-sink.js';
import { createLogger } from './create-logger.js';
import type { LoggerOptions } from './logger-options.js';

function mistakesOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof OptionsError) return error.mistakes;
    throw error;
  }
  return [];
}

const WRONG: readonly (readonly [keyof LoggerOptions, unknown, string])[] = [
  ['level', 'loud', 'level: unknown level "loud"; use one of '],
  ['renderedMessage', 'yes', 'renderedMessage: must be true or false, not "yes"'],
  ['caller', 1, 'caller: must be true or false, not 1'],
  ['timestamp', 'no', 'timestamp: must be true or false, not "no"'],
  ['stackTrace', 'x', 'stackTrace: must be true or false, not "x"'],
  ['timeFormat', 'TimeTea', 'timeFormat: must be one of "TimeRFC3339", '],
  ['sinks', [{}], 'sinks[0]: must be a sink, such as consoleSink(), not an object'],
  ['errorHandler', 'log', 'errorHandler: must be a function, not "log"'],
  ['sampling', 10, 'sampling: must be a sampler, such as everyN(10), not 10'],
  ['limits', { depth: -1 }, 'limits.depth: must be a number of at least 0, not -1'],
  ['redact', ['a..b'], 'redact: the redact path "a..b" is not valid at position 1; '],
];

describe('the options of a logger', () => {
  it.each(WRONG)('with %s: %j are refused', (name, value, mistake) => {
    expect(mistakesOf(() => createLogger({ [name]: value }))).toEqual([
      expect.stringContaining(mistake),
    ]);
  });

  it('with several mistakes are refused once, with all of them', () => {
    const wrong = Object.fromEntries(WRONG.map(([name, value]) => [name, value]));
    const mistakes = mistakesOf(() => createLogger(wrong));
    expect(mistakes.map((mistake) => mistake.split(/[.[:]/)[0]!).toSorted()).toEqual(
      WRONG.map(([name]) => name).toSorted(),
    );
  });
});

describe('the options of a file sink', () => {
  it('with several mistakes are refused once, with all of them', () => {
    const wrong = {
      minLevel: 35,
      format: 'xml',
      timeFormat: 'TimeTea',
      async: 'yes',
      mode: 0o10000,
      rotation: {
        maxSizeMB: -1,
        maxBackups: 'x',
        maxAgeDays: NaN,
        compress: 1,
        localTime: 1,
        every: 'x',
      },
    };
    const mistakes = mistakesOf(() => fileSink('', wrong as unknown as object));
    expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
      'path',
      'mode',
      'rotation.maxSizeMB',
      'rotation.maxBackups',
      'rotation.maxAgeDays',
      'rotation.compress',
      'rotation.localTime',
      'rotation.every',
      'minLevel',
      'format',
      'timeFormat',
      'async',
    ]);
  });
});
