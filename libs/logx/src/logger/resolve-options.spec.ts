import { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { registerSinkType } from '../config/sink-types.js';
import { Level } from '../levels/level.js';
import { customSink } from '../sinks/custom-sink.js';
import { fileSink } from '../sinks/file-sink.js';
import type { SinkSpec } from '../sinks/sink.js';
import { consoleSink, stderrSink, stdoutSink } from '../sinks/standard-sinks.js';
import { streamSink } from '../sinks/stream-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';
import type { LoggerOptions } from './logger-options.js';
import { LOGGER_OPTIONS } from './option-tables.js';

const NOWHERE = customSink({ write: () => {} });

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
  ['levels', 'debug', 'levels: must be an object of levels by name, not "debug"'],
  ['enrich', ['hots'], 'enrich[0]: must be one of "host", "pid", '],
  ['caller', 1, 'caller: must be true or false, not 1'],
  ['timestamp', 'no', 'timestamp: must be true or false, not "no"'],
  ['stackTrace', 'x', 'stackTrace: must be true or false, not "x"'],
  ['timeFormat', 'TimeTea', 'timeFormat: unknown time format "TimeTea"; use one of TimeRFC3339, '],
  ['ecs', true, 'ecs: must be an object, not true'],
  ['sinks', [{}], 'sinks[0]: must be a sink, such as consoleSink(), not an object'],
  ['errorHandler', 'log', 'errorHandler: must be a function, not "log"'],
  ['sampling', 10, 'sampling: must be a sampler, such as { every: 10 }, not 10'],
  ['limits', { depth: -1 }, 'limits.depth: must be a number of at least 0, not -1'],
  ['limits', { deph: 1 }, 'limits.deph: is not known here; did you mean depth?'],
  ['limits', 5, 'limits: must be an object, not 5'],
  ['redact', 'password', 'redact: must be an array of paths, not "password"'],
  ['redact', [7], 'redact[0]: must be a path, not 7'],
  ['fields', 7, 'fields: must be an object, not 7'],
  ['redact', { remove: true }, 'redact: must have safe, paths, names or connectionStrings'],
  ['redact', { names: 'token' }, 'redact.names: must be an array of names, not "token"'],
  ['redact', { paths: ['a'], censor: 1 }, 'redact.censor: must be a string or a function, not 1'],
  ['redact', { paths: ['a'], censr: '' }, 'redact.censr: is not known here; did you mean censor?'],
  ['bufferOnFailure', 1, 'bufferOnFailure: must be an object, not 1'],
  ['clock', Date, 'clock: must be a clock, not a function'],
  ['sinks', consoleSink(), 'sinks: must be an array, not an object'],
  ['sinks', ['console'], 'sinks[0]: must be a sink, such as consoleSink(), not "console"'],
  ['sinks', [{ ...NOWHERE, minLevel: 'loud' }], 'sinks[0].minLevel: unknown level "loud"; use one'],
  ['sinks', [{ ...NOWHERE, format: 'xml' }], 'sinks[0].format: must be one of "json", "console"'],
  ['sinks', [{ ...NOWHERE, format: undefined }], 'sinks[0].format: must be one of "json"'],
  [
    'sinks',
    [{ ...NOWHERE, timeFormat: 'RFC3339' }],
    'sinks[0].timeFormat: unknown time format "RFC3339"; use one of Time',
  ],
  ['sinks', [{ ...NOWHERE, color: 'red' }], 'sinks[0].color: must be true or false, not "red"'],
  ['sinks', [{ ...NOWHERE, kind: 7 }], 'sinks[0].kind: must be a non-empty string, not 7'],
  [
    'sinks',
    [{ type: 'console', levl: 40 }],
    'sinks[0].levl: is not known here; did you mean level?',
  ],
  ['sinks', [{ type: 'file' }], 'sinks[0].path: is required for a file'],
  ['sinks', [{ type: 'nobody' }], 'sinks[0]: unknown sink type "nobody"; known are '],
  ['redact', ['a..b'], 'redact[0]: the redact path "a..b" is not valid at position 1; '],
];

describe('the options of a logger', () => {
  it.each(WRONG)('with %s: %j are refused', (name, value, mistake) => {
    expect(mistakesOf(() => createLogger({ [name]: value }))).toEqual([
      expect.stringContaining(mistake),
    ]);
  });

  it('with several mistakes are refused once, with all of them', () => {
    const wrong = Object.fromEntries(WRONG.map(([name, value]) => [name, value]));
    const mistakes = mistakesOf(() => createLogger({ ...wrong, levl: 'debug' } as LoggerOptions));
    expect(mistakes.map((mistake) => mistake.split(/[.[:]/)[0]!)).toEqual([
      ...Object.keys(LOGGER_OPTIONS).filter((name) => name !== 'sinks'),
      'levl',
      'sinks',
    ]);
  });
});

describe('the options of a logger', () => {
  it.each([
    ['levl', 'level'],
    ['Level', 'level'],
    ['leval', 'level'],
    ['lvel', 'level'],
    ['elvel', 'level'],
    ['timeformat', 'timeFormat'],
    ['stacktrace', 'stackTrace'],
    ['sink', 'sinks'],
    ['onErrorHandler', 'errorHandler'],
  ])('with the name %s are refused, with %s as what may be meant', (name, nearest) => {
    expect(mistakesOf(() => createLogger({ [name]: 1 }))).toEqual([
      `${name}: is not known here; did you mean ${nearest}?`,
    ]);
  });

  it('with a name that is near none are refused with those that there are', () => {
    expect(mistakesOf(() => createLogger({ prettyPrint: true } as LoggerOptions))).toEqual([
      `prettyPrint: is not known here; use one of ${Object.keys(LOGGER_OPTIONS).join(', ')}`,
    ]);
  });

  it('may have members that are undefined, known or not', () => {
    const absent = { level: undefined, other: undefined, sinks: [NOWHERE] };
    expect(mistakesOf(() => createLogger(absent))).toEqual([]);
  });

  it.each([null, 'debug', [], 5])('are not %j', (options) => {
    expect(mistakesOf(() => createLogger(options as never))).toEqual([
      expect.stringMatching(/^must be an object, not /),
    ]);
  });

  it('have sinks as values, by hand, and as entries of a document, side by side', () => {
    const logged = collectingSink();
    const lines: string[] = [];
    registerSinkType('lines', () => customSink({ write: (line) => void lines.push(line) }));
    const byHand: SinkSpec = {
      kind: 'by hand',
      format: 'json',
      minLevel: 'warning',
      open: (context) => logged.open(context),
    };
    const log = createLogger({ sinks: [byHand, { type: 'Lines', level: 'ERROR' as 'error' }] });
    log.information('one');
    log.warning('two');
    log.error(null, 'three');
    expect(logged.messages).toEqual(['two', 'three']);
    expect(lines).toEqual([expect.stringContaining('"message":"three"')]);
  });
});

describe('the options of a sink', () => {
  const SINKS: readonly (readonly [string, (options: object) => unknown])[] = [
    ['console', consoleSink],
    ['stdout', stdoutSink],
    ['stderr', stderrSink],
    ['file', (options) => fileSink('a.log', options)],
    ['stream', (options) => streamSink(process.stdout, options)],
    ['custom', (options) => customSink(() => ({}), options)],
    ['collecting', collectingSink],
  ];
  const shared = (kind: string, make: (options: object) => unknown, wrong: object): void => {
    const mistakes = Object.keys(wrong).map((name) => expect.stringMatching(`^${name}: `));
    expect(mistakesOf(() => make(wrong))).toEqual(mistakes);
    expect(() => make(wrong)).toThrow(`logx: ${kind} sink: ${mistakes.length} mistakes:`);
  };

  it.each(SINKS)('%s are refused once, with all mistakes', (kind, make) => {
    shared(kind, make, { minLevel: 'loud', timeFormat: 'RFC3339', fromat: 'ecs' });
  });

  it.each(SINKS.slice(0, -1))('%s are format and async, too', (kind, make) => {
    shared(kind, make, { format: 'xml', async: 2.5 });
  });

  it.each(SINKS)('%s must be an object', (_, make) => {
    expect(mistakesOf(() => make('debug' as never))).toEqual(['must be an object, not "debug"']);
  });

  it.each(SINKS)('%s have the level by value or by name', (_, make) => {
    expect(make({ minLevel: 'warning' })).toMatchObject({ minLevel: Level.Warning });
    expect(make({ minLevel: Level.Debug })).toMatchObject({ minLevel: Level.Debug });
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
      'minLevel',
      'format',
      'timeFormat',
      'async',
      'rotation.maxSizeMB',
      'rotation.maxBackups',
      'rotation.maxAgeDays',
      'rotation.compress',
      'rotation.localTime',
      'rotation.every',
      'mode',
    ]);
  });
});
