import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Sink } from '../sinks/sink.js';
import { customSink } from '../sinks/custom-sink.js';
import { Level } from '../levels/level.js';
import type { Config } from './config.js';
import type { ConfigDocument } from './config-document.js';
import { ConfigError } from './config-error.js';
import type { ConfigSettings } from './config-settings.js';
import { configSchema } from './config-schema.js';
import {
  configOf,
  createLoggerFromConfig,
  createLoggerFromConfigFile,
  loadConfig,
  loadConfigFile,
} from './load-config.js';
import { registerSinkType } from './sink-types.js';
import type { SinkEntry } from './sink-entry.js';

const nowhere: Sink = { write: () => {} };

describe('configuration documents', () => {
  let directory: string;

  beforeEach(() => {
    directory = fs.mkdtempSync(join(os.tmpdir(), 'logx-config-'));
  });
  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  const mistakesOf = (act: () => unknown): readonly string[] => {
    try {
      act();
    } catch (error) {
      if (error instanceof ConfigError) {
        return error.mistakes;
      }
      throw error;
    }
    return [];
  };

  const YAML = `
level: Debug
render: false
caller: true
timestamp: false
stackTrace: true
timeFormat: TimeUnix
sinks:
  - type: console
    target: stderr
    noColor: true
  - { type: FILE, path: logs/app.json, level: warn, format: ecs,
      rotation: { maxSizeMB: 5, maxBackups: 3, maxAgeDays: 7, compress: true, localTime: true, every: daily } }
`;

  const check = (config: Config): void => {
    expect(config.options()).toMatchObject({
      level: Level.Debug,
      renderedMessage: false,
      caller: true,
      timestamp: false,
      stackTrace: true,
      sinks: [
        { kind: 'console', format: 'console', color: false },
        { kind: 'file', format: 'ecs', minLevel: Level.Warning },
      ],
    });
  };

  it('are YAML', () => check(loadConfig(YAML)));

  it('are JSON, indented with tabs or not', () => {
    const config = JSON.stringify(parse(YAML), null, '\t');
    check(loadConfig(config));
  });

  it('come from a reader, in parts that may split a character', async () => {
    const bytes = Buffer.from('sinks: [{ type: file, path: größer.log }]');
    const split = bytes.indexOf('ö') + 1;
    const parts = [bytes.subarray(0, split), bytes.subarray(split)];
    expect((await loadConfig(Readable.from(parts))).sinks![0]!.path).toBe('größer.log');
  });

  it('come from a file', () => {
    fs.writeFileSync(join(directory, 'log.yaml'), YAML);
    check(loadConfigFile(join(directory, 'log.yaml')));
  });

  it('may be empty: a logger with all defaults', () => {
    expect(loadConfig('').options().sinks).toBeUndefined();
    expect(loadConfig('{}').options().level).toBeUndefined();
  });

  it('make a logger', () => {
    const path = join(directory, 'app.json');
    const document = { sinks: [{ type: 'file', path }] };
    createLoggerFromConfig(document).information('one {N}', 1);
    fs.writeFileSync(join(directory, 'log.json'), JSON.stringify(document));
    createLoggerFromConfigFile(join(directory, 'log.json')).information('two {N}', 2);
    expect(fs.existsSync(path)).toBe(true);
  });

  it('give one error for the document and the options of its sinks', () => {
    const document = { level: 'loud', sinks: [{ type: 'file' }, { type: 'nobody' }] };
    expect(mistakesOf(() => createLoggerFromConfig(document as ConfigDocument))).toEqual([
      expect.stringMatching(/^level: /),
      'sinks[0].path: is required for a file',
      expect.stringMatching(/^sinks\[1\]: unknown sink type "nobody"/),
    ]);
  });

  it('give the error of a sink that cannot be opened', () => {
    const config = configOf({ sinks: [{ type: 'file', path: directory }] });
    expect(() => config.build()).toThrow(/EISDIR/);
  });

  it('give one error that lists every mistake with its path', () => {
    const document = {
      level: 'loud',
      render: 'yes',
      colour: true,
      timeFormat: 7,
      sinks: [
        { type: 'file', path: 5, rotation: { maxSizeMB: -1, every: 'weekly', keep: 3 } },
        { type: 'console', target: 'printer', path: 'x', format: 'xml', async: 'yes' },
        { level: 'debug' },
        'stdout',
        { type: 'file' },
      ],
    };
    fs.writeFileSync(join(directory, 'log.json'), JSON.stringify(document));
    const mistakes = mistakesOf(() => loadConfigFile(join(directory, 'log.json')));
    expect(mistakes.map((mistake) => mistake.replace(/(level: ).*/, '$1…'))).toEqual([
      'level: …',
      'render: must be true or false, not "yes"',
      expect.stringMatching(/^timeFormat: unknown time format 7; use one of TimeRFC3339, /),
      'sinks[0].path: must be a non-empty string, not 5',
      'sinks[0].rotation.maxSizeMB: must be a number of at least 0, not -1',
      'sinks[0].rotation.every: must be one of "none", "hourly", "daily", not "weekly"',
      'sinks[0].rotation.keep: is not known here; use one of maxSizeMB, maxBackups, maxAgeDays, compress, localTime, every',
      'sinks[1].format: must be one of "json", "console", "ecs", "otel", "auto", or a format given to registerFormat, not "xml"',
      'sinks[1].target: must be one of "stdout", "stderr", not "printer"',
      'sinks[1].async: must be true, false or an integer, not "yes"',
      'sinks[1].path: is not known here; use one of type, level, minLevel, maxLevel, format, layout, noColor, target, async, gather',
      'sinks[2].type: is required',
      'sinks[3]: must be an object, not "stdout"',
      'sinks[4].path: is required for a file',
      'colour: is not known here; use one of level, levels, render, caller, timestamp, stackTrace, timeFormat, ecs, sampling, limits, fields, enrich, redact, bufferOnFailure, probes, sinks',
    ]);
    expect(() => loadConfigFile(join(directory, 'log.json'))).toThrow(
      `logx: configuration ${directory}/log.json: 15 mistakes:\n  level: `,
    );
  });

  it.each([
    ['sinks: [', /^Flow sequence in block collection/],
    ['level: debug\nlevel: info', /^Map keys must be unique at line 2/],
    ['- level', /^must be an object, not an array/],
    ['"text"', /^must be an object, not "text"/],
    ['{"level": null, "__proto__": {"caller": true}}', /^__proto__: is not known here/],
    ['{"constructor": 1}', /^constructor: is not known here/],
    ['level: !secret debug', /^tags such as !secret are not supported; .* at line 1/],
    ['<<: 5', /^Merge sources must be maps/],
    ['fields: &all { <<: *all }', /^Excessive alias count/],
    [
      ['b', 'c', 'd', 'e', 'f'].reduce((text, name, i) => {
        const aliases = Array<string>(10).fill(`*${'abcde'[i]!}`).join(', ');
        return `${text}\n${name}: &${name} [${aliases}]`;
      }, 'a: &a [1]'),
      /^Excessive alias count/,
    ],
    ['sinks: &all [{ type: stdout, options: *all }]', /^sinks\[0\]\.options: is not known here/],
    ['levels: &all { orders: *all }', /^levels\.orders: unknown level an object/],
    ['redact: &all { paths: *all }', /^redact\.paths: must be an array of paths/],
    ['fields: [1]', /^fields: must be an object, not an array/],
    ['levels: { 7: loud }', /^levels\.7: unknown level "loud"/],
  ])('are refused as text: %s', (text, mistake) => {
    expect(mistakesOf(() => loadConfig(text))[0]).toMatch(mistake);
  });

  it('in a file of JSON may have comments, and lose no setting behind one', () => {
    const path = join(directory, 'log.json');
    fs.writeFileSync(path, '{\n  "caller": true, // for now\n  "level": "debug"\n}');
    const same = loadConfig('caller: true\nlevel: debug').options();
    expect(loadConfigFile(path).options()).toEqual(same);
  });

  it.each([
    ['{\n"level": "debug",\n"level": "info"}', 'line 3: "level" is already set in line 2'],
    ['level: debug', 'line 1: a value is expected'],
    ['', 'line 1: has no value; write {} if nothing is set'],
  ])('in a file of JSON are refused by their line: %j', (text, mistake) => {
    const path = join(directory, 'log.json');
    fs.writeFileSync(path, text);
    expect(mistakesOf(() => loadConfigFile(path))).toEqual([mistake]);
  });

  it('that cannot be read give an error with the file and the cause', () => {
    expect(() => loadConfigFile(join(directory, 'none.yaml'))).toThrow(
      /^logx: cannot read the configuration: ENOENT.*none\.yaml/,
    );
  });

  it.each<[string, () => string, RegExp]>([
    ['a directory', () => directory, /EISDIR/],
    ['a file below a file', () => join(process.execPath, 'log.yaml'), /ENOTDIR/],
    ['an empty name', () => '', /ENOENT/],
  ])('that are %s give that error, too', (_, path, code) => {
    for (const read of [loadConfigFile, createLoggerFromConfigFile]) {
      expect(() => read(path())).toThrow(/^logx: cannot read the configuration: /);
      expect(() => read(path())).toThrow(code);
    }
  });

  it('that exist and may not be read give that error with its cause', () => {
    const path = join(directory, 'secret.yaml');
    fs.writeFileSync(path, 'level: debug');
    const denied = Object.assign(new Error(`EACCES: permission denied, open '${path}'`), {
      code: 'EACCES',
    });
    // Root may read everything, and tests may be root.
    const reading = jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw denied;
    });
    try {
      loadConfigFile(path);
      throw new Error('it was read');
    } catch (error) {
      expect(error).not.toBeInstanceOf(ConfigError);
      expect(error).toMatchObject({
        message: `logx: cannot read the configuration: EACCES: permission denied, open '${path}'`,
        cause: denied,
      });
    } finally {
      reading.mockRestore();
    }
  });

  describe('sink types', () => {
    const made: { settings: ConfigSettings; entry: SinkEntry }[] = [];
    const factory = (settings: ConfigSettings, entry: SinkEntry) => {
      made.push({ settings, entry });
      return customSink(nowhere, { kind: 'mine', format: 'otel' });
    };
    beforeEach(() => {
      made.length = 0;
    });

    it('are found in any case, and get the configuration and the entry', () => {
      registerSinkType('Mine', factory);
      const config = loadConfig(`
timeFormat: TimeUnix
sinks: [{ type: mINE, level: error, options: { a: 1 } }]`);
      expect(config.options().sinks).toMatchObject([
        { kind: 'mine', format: 'otel', minLevel: Level.Error },
      ]);
      expect(made).toHaveLength(1);
      expect(made[0]!.settings.timeFormat).toBe(config.timeFormat);
      expect(made[0]!.entry.options).toEqual({ a: 1 });
    });

    it('leave the format to the entry if it has one', () => {
      registerSinkType('mine', factory);
      const config = configOf({ sinks: [{ type: 'mine', format: 'json' }] });
      expect(config.options().sinks).toMatchObject([{ format: 'json' }]);
    });

    it('can be registered after the document was loaded', () => {
      const config = configOf({ sinks: [{ type: 'later' }] });
      expect(mistakesOf(() => config.options())).toEqual([
        expect.stringMatching(/^sinks\[0\]: unknown sink type "later"; known are console, file,/),
      ]);
      registerSinkType('later', factory);
      expect(mistakesOf(() => config.options())).toEqual([]);
    });

    it('registered twice: the later factory counts', () => {
      registerSinkType('twice', () => customSink(nowhere, { kind: 'first' }));
      registerSinkType('TWICE', () => customSink(nowhere, { kind: 'second' }));
      expect(configOf({ sinks: [{ type: 'twice' }] }).options().sinks).toMatchObject([
        { kind: 'second' },
      ]);
    });

    it.each(['console', 'Stdout', 'STDERR', 'file', ''])('cannot be called %j', (name) => {
      expect(() => registerSinkType(name, factory)).toThrow(
        /^logx: cannot register the sink type /,
      );
    });

    it('give what a factory throws its path', () => {
      registerSinkType('broken', () => {
        throw new Error('logx: no endpoint');
      });
      expect(mistakesOf(() => configOf({ sinks: [{ type: 'broken' }] }).options())).toEqual([
        'sinks[0]: no endpoint',
      ]);
    });

    it('decode their options with a Standard Schema', () => {
      const schema = z.object({ endpoint: z.string(), retries: z.number().default(3) });
      let options: { endpoint: string; retries: number } | undefined;
      registerSinkType('zod', (_settings, entry) => {
        options = entry.decodeOptions(schema);
        return customSink(nowhere);
      });
      configOf({ sinks: [{ type: 'zod', options: { endpoint: 'a:1' } }] }).options();
      expect(options).toEqual({ endpoint: 'a:1', retries: 3 });
      expect(
        mistakesOf(() =>
          configOf({
            sinks: [{ type: 'zod', options: { retries: 'x' } }, { type: 'nobody' }],
          }).options(),
        ),
      ).toEqual([
        expect.stringMatching(/^sinks\[0\]\.options\.endpoint: /),
        expect.stringMatching(/^sinks\[0\]\.options\.retries: /),
        expect.stringMatching(/^sinks\[1\]: unknown sink type/),
      ]);
    });

    it('decode their options field by field', () => {
      let options: unknown;
      registerSinkType('fields', (_settings, entry) => {
        options = entry.decodeOptions((fields) => ({
          endpoint: fields.text('endpoint'),
          protocol: fields.oneOf('protocol', ['grpc', 'http']),
          timeout: fields.duration('timeout'),
          headers: fields.texts('headers'),
        }));
        return customSink(nowhere);
      });
      const build = (given: Record<string, unknown>): Config =>
        configOf({ sinks: [{ type: 'fields', options: given }] });
      build({ endpoint: 'a:1', timeout: '1m', headers: { a: 'b' } }).options();
      expect(options).toEqual({ endpoint: 'a:1', timeout: 60_000, headers: { a: 'b' } });
      const wrong = build({ protocol: 'udp', timeout: 'soon', headers: { a: 1 }, x: 1 });
      expect(mistakesOf(() => wrong.options())).toEqual([
        'sinks[0].options.protocol: must be one of "grpc", "http", not "udp"',
        expect.stringMatching(/^sinks\[0\]\.options\.timeout: "soon" is not a valid duration/),
        'sinks[0].options.headers: must be an object of strings, not an object',
        'sinks[0].options.x: is not known here; use one of endpoint, protocol, timeout, headers',
      ]);
    });

    it('are told once that a text to be parsed is none, and nothing parses it', () => {
      const parsed: unknown[] = [];
      const parse = (text: string): string => {
        parsed.push(text);
        if (text === 'bad') throw new Error('is bad');
        return text.toUpperCase();
      };
      registerSinkType('parsed', (_settings, entry) => {
        parsed.push(entry.decodeOptions((fields) => fields.parsedText('region', parse)));
        return customSink(nowhere);
      });
      const build = (options: Record<string, unknown>): Config =>
        configOf({ sinks: [{ type: 'parsed', options }] });
      build({ region: 'north' }).options();
      build({}).options();
      expect(parsed).toEqual(['north', 'NORTH', undefined]);
      expect(mistakesOf(() => build({ region: 7 }).options())).toEqual([
        'sinks[0].options.region: must be a string, not 7',
      ]);
      expect(mistakesOf(() => build({ region: 'bad' }).options())).toEqual([
        'sinks[0].options.region: is bad',
      ]);
    });

    it('take no options when nothing decodes them, and built-in types take none at all', () => {
      expect(mistakesOf(() => configOf({ sinks: [{ type: 'stdout', options: {} }] }))).toEqual([
        'sinks[0].options: is not known here; use one of type, level, minLevel, maxLevel, format, layout, noColor, async, gather',
      ]);
    });
  });

  describe('the JSON Schema', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    const validate = ajv.compile(configSchema);

    it.each<[object, boolean]>([
      [{}, true],
      [{ level: 'Warn', render: false, timeFormat: 'TimeUnix' }, true],
      [{ sinks: [{ type: 'Console', target: 'stderr', noColor: true }] }, true],
      [{ sinks: [{ type: 'file', path: 'a', async: 10, rotation: { every: 'daily' } }] }, true],
      [{ sinks: [{ type: 'other', level: 'error', options: { any: [1] } }] }, true],
      [{ level: 'loud' }, false],
      [{ colour: true }, false],
      [{ timeFormat: '2006-01-02 15:04:05,000' }, true],
      [{ timeFormat: 'Jan _2 3:04PM' }, true],
      [{ timeFormat: 'sundial' }, false],
      [{ timeFormat: 'RFC3339' }, false],
      [{ timeFormat: 7 }, false],
      [{ sinks: [{ type: 'file' }] }, false],
      [{ sinks: [{ type: 'stdout', path: 'a' }] }, false],
      [{ sinks: [{ type: 'stdout', options: {} }] }, false],
      [{ sinks: [{ type: 'other', rotation: {} }] }, false],
      [{ sinks: [{ type: 'file', path: 'a', rotation: { maxSizeMB: -1 } }] }, false],
      [{ sinks: [{ type: 'file', path: 'a', rotation: { every: 'weekly' } }] }, false],
      [{ sinks: [{ format: 'json' }] }, false],
      [{ sinks: {} }, false],
    ])('and the reader agree on %j: %j', (document, isRight) => {
      expect(validate(document)).toBe(isRight);
      expect(mistakesOf(() => loadConfig(JSON.stringify(document))).length === 0).toBe(isRight);
    });
  });
});
