import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { program } from '../../../../tools/testing/program.js';
import { ConfigError } from '../config/config-error.js';
import { loadConfig } from '../config/load-config.js';
import { registerSinkType } from '../config/sink-types.js';
import type { Encoder } from '../encode/encoder.js';
import { registerFormat } from '../encode/own-format.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { customSink } from './custom-sink.js';
import type { SinkSpec } from './sink.js';
import { stdoutSink } from './standard-sinks.js';

interface Watched {
  readonly log: Logger;
  readonly lines: string[];
  readonly errors: string[];
}

const short: Encoder = {
  name: 'short',
  encode: ({ message }, { level }) => `${level} ${message}`,
};

function collecting(lines: string[], options: object): SinkSpec {
  return customSink({ write: (line) => void lines.push(line) }, options);
}

/** A logger with one sink in a format of its user. */
function watched(format: Encoder, options: LoggerOptions = {}): Watched {
  const lines: string[] = [];
  const errors: string[] = [];
  const log = createLogger({
    sinks: [collecting(lines, { format })],
    errorHandler: ({ message }) => void errors.push(message),
    ...options,
  });
  return { log, lines, errors };
}

describe('a format of a user', () => {
  it('gets the event and what is written of its time and level, and returns the line', async () => {
    const format: Encoder = {
      encode: ({ message, fields, error, template, time: ms }, { time, level }) =>
        [time, ms, level, template, message, ...fields.values(), error].map(String).join('|'),
    };
    const options = { clock: fakeClock(), fields: { tenant: 'acme' }, redact: ['A'] };
    const { log, lines } = watched(format, options);
    log.error(new Error('late'), '{A}', 1);
    await log.flush();
    expect(lines).toEqual(['1970-01-01T00:00:00Z|0|error|{A}|[Redacted]|acme|[Redacted]|late\n']);
  });

  it('is called once for each event, after the call, however many sinks have it', async () => {
    const calls: string[] = [];
    const format: Encoder = {
      encode({ message }) {
        calls.push(message);
        return `${message}\n`;
      },
    };
    const [a, b, c, json]: string[][] = [[], [], [], []];
    const log = createLogger({
      sinks: [
        collecting(a!, { format }),
        collecting(json!, {}),
        collecting(b!, { format, minLevel: 'warning' }),
        collecting(c!, { format, maxLevel: 'information' }),
      ],
    });
    log.information('one');
    log.warning('two');
    expect(calls).toEqual([]);
    expect(json).toHaveLength(2);
    await log.flush();
    expect(calls).toEqual(['one', 'two']);
    expect([a, b, c]).toEqual([['one\n', 'two\n'], ['two\n'], ['one\n']]);
  });

  it('is called again for another time format', async () => {
    const lines: string[] = [];
    const format: Encoder = { encode: (_, { time }) => time };
    const sinks = [
      collecting(lines, { format, timeFormat: 'TimeUnixMs' }),
      collecting(lines, { format }),
    ];
    const log = createLogger({ sinks, clock: fakeClock(5) });
    log.information('x');
    await log.flush();
    expect(lines).toEqual(['5\n', '1970-01-01T00:00:00Z\n']);
    const without = createLogger({ sinks: [collecting(lines, { format })], timestamp: false });
    without.information('x');
    await without.flush();
    expect(lines.at(-1)).toBe('\n');
  });

  it('writes some milliseconds later without a flush', async () => {
    const line = new Promise<string>((resolve) => {
      const sinks = [customSink({ write: resolve }, { format: short })];
      createLogger({ sinks }).information('x');
    });
    expect(await line).toBe('info x\n');
  });

  it.each<[string, unknown, RegExp]>([
    ['throws', new RangeError('no'), /short could not encode an event: threw: no$/],
    ['throws a text', 'no', /threw: no$/],
    ['throws nothing', undefined, /threw: undefined$/],
  ])('that %s loses its line and no other', async (_what, thrown, expected) => {
    const encode: Encoder['encode'] = ({ message }) => {
      if (message === 'bad') throw thrown;
      return message;
    };
    const { log, lines, errors } = watched({ name: 'short', encode });
    for (const message of ['a', 'bad', 'b']) log.information(message);
    await log.flush();
    expect(lines).toEqual(['a\n', 'b\n']);
    expect(errors).toEqual([expect.stringMatching(expected)]);
  });

  it.each<[unknown, string]>([
    [undefined, 'returned undefined; a line must be a string'],
    [null, 'returned null; a line must be a string'],
    [{ text: 'x' }, 'returned an object; a line must be a string'],
    [Buffer.from('x'), 'returned an object; a line must be a string'],
    [Promise.reject(new Error('later')), 'returned a promise; a line must be a string'],
    ['x'.repeat(1024 * 1024 + 1), 'returned 1048577 characters; at most 1048576 are written'],
  ])('that returns %p loses its line and no other', async (result, expected) => {
    const encode = ({ message }: { message: string }) => (message === 'bad' ? result : message);
    const { log, lines, errors } = watched({ encode } as Encoder);
    for (const message of ['a', 'bad', 'b']) log.information(message);
    await log.flush();
    expect(lines).toEqual(['a\n', 'b\n']);
    expect(errors).toEqual([`logx: the format own could not encode an event: ${expected}`]);
  });

  it('that does not return is interrupted, and loses its line and no other', async () => {
    const encode: Encoder['encode'] = ({ message }) => {
      if (message === 'bad') for (;;);
      return message;
    };
    const { log, lines, errors } = watched({ encode });
    for (const message of ['a', 'bad', 'b']) log.information(message);
    const start = performance.now();
    await log.flush();
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(lines).toEqual(['a\n', 'b\n']);
    expect(errors).toEqual([
      'logx: the format own could not encode an event: did not return within 250 ms, twice',
    ]);
  });

  it('that was slow because the machine was gets a second attempt', async () => {
    let isFirst = true;
    const encode: Encoder['encode'] = ({ message }) => {
      const isSlow = isFirst;
      isFirst = false;
      if (isSlow) for (;;);
      return message;
    };
    const { log, lines, errors } = watched({ encode });
    log.information('a');
    await log.flush();
    expect([lines, errors]).toEqual([['a\n'], []]);
  });

  it('that never returns is not called after its third event, and its sinks get JSON', async () => {
    const encode: Encoder['encode'] = () => {
      for (;;);
    };
    const { log, lines, errors } = watched({ encode });
    for (let i = 0; i < 100; i++) log.information('{I}', i);
    const start = performance.now();
    await log.flush();
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(lines).toHaveLength(97);
    expect(JSON.parse(lines[0]!)).toMatchObject({ I: 3, message: '3' });
    expect(errors).toHaveLength(3);
    expect(errors[2]).toMatch(/it is not called again, and its sinks get JSON$/);
  });

  it('does not run in a circle if it logs, or if its sink logs', async () => {
    const all: string[] = [];
    const others: string[] = [];
    const format: Encoder = {
      encode({ message }) {
        log.information('encoding');
        void log.flush();
        return message;
      },
    };
    const write = (line: string): void => {
      all.push(line);
      log.information('writing');
    };
    const sinks = [
      customSink({ write }, { format }),
      customSink({ emit: (e) => void others.push(e.message) }),
    ];
    const log: Logger = createLogger({ sinks });
    log.information('x');
    for (let i = 0; i < 5; i++) await log.flush();
    expect(all).toEqual(['x\n']);
    expect(others).toEqual(['x', 'encoding', 'writing']);
  });

  it('is bounded: the call that logs too much encodes what waits', () => {
    const { log, lines } = watched(short);
    for (let i = 0; i < 2_000; i++) log.information('x');
    expect(lines.length).toBeGreaterThan(1_000);
  });

  it('leaves a failing sink to the error handler, and the others their lines', async () => {
    const lines: string[] = [];
    const { log, errors } = watched(short, {
      sinks: [
        customSink(
          {
            write: () => {
              throw new Error('full');
            },
          },
          { kind: 'tray', format: short },
        ),
        collecting(lines, { format: short }),
      ],
    });
    log.information('x');
    await log.flush();
    expect(lines).toEqual(['info x\n']);
    expect(errors).toEqual(['logx: tray could not write: full']);
  });

  it('writes what waits when its logger closes, and once only', async () => {
    const { log, lines } = watched(short);
    log.information('x');
    await log.close();
    log.information('y');
    expect(lines).toEqual(['info x\n']);
  });

  it.each([
    ['', 'BYE\n'],
    ['process.exit(3);', 'BYE\n'],
    ["throw new Error('uncaught');", 'BYE\n'],
    ["log.fatal('end');", 'BYE\nEND\n'],
    ["process.on('exit', () => log.information('late'));", 'BYE\nLATE\n'],
  ])(
    'writes what waits when the process ends with %j',
    async (end, expected) => {
      const app = await program({
        folder: new URL('..', import.meta.url),
        code: `import { createLogger, stdoutSink } from '@apix/logx/core';
          const format = { encode: ({ message }: { message: string }) => message.toUpperCase() };
          const log = createLogger({ sinks: [stdoutSink({ format })] });
          log.information('bye');
          ${end}`,
      });
      const { out } = await app.run().ended;
      await app.remove();
      expect(out).toBe(expected);
    },
    20_000,
  );

  it('is encoded before a fatal event waits for a sink', async () => {
    const app = await program({
      folder: new URL('..', import.meta.url),
      code: `import { createLogger, customSink } from '@apix/logx/core';
        import { writeSync } from 'node:fs';
        const lines: string[] = [];
        const sink = {
          write: (line: string) => void lines.push(line),
          flush: async () => void writeSync(1, lines.join('')),
        };
        const format = { encode: ({ message }: { message: string }) => message };
        createLogger({ sinks: [customSink(sink, { format })] }).fatal('end');`,
    });
    const { out } = await app.run().ended;
    await app.remove();
    expect(out).toBe('end\n');
  });
});

describe('the name of a format of a user', () => {
  const lines: string[] = [];
  registerSinkType('tray', () => collecting(lines, {}));

  it('may be used in documents and in code, in any letter case', async () => {
    registerFormat('Short', short);
    const log = loadConfig('sinks: [{ type: tray, format: sHort }]').build();
    log.information('x');
    await log.flush();
    expect(lines).toEqual(['info x\n']);
    expect(stdoutSink({ format: 'short' as 'json' }).format).toMatchObject({ name: 'short' });
  });

  it('is for all sinks one format', async () => {
    let calls = 0;
    registerFormat('counted', { encode: () => `${++calls}` });
    lines.length = 0;
    const entry = { type: 'tray', format: 'counted' };
    const log = loadConfig(JSON.stringify({ sinks: [entry, entry] })).build();
    log.information('x');
    await log.flush();
    expect(lines).toEqual(['1\n', '1\n']);
  });

  it.each([
    ['xml', 'must be one of "json", "console", "ecs", "otel", "auto", "short"'],
    ['__proto__', 'or a format given to registerFormat, not "__proto__"'],
    [7, 'not 7'],
    [{ encode: 'x' }, 'not an object'],
  ])('%j is refused if it is unknown', (format, mistake) => {
    const document = (): unknown =>
      loadConfig(JSON.stringify({ sinks: [{ type: 'tray', format }] }));
    expect(document).toThrow(ConfigError);
    expect(document).toThrow(mistake);
  });

  it.each(['json', 'JSON', 'console', ''])('%j cannot be registered', (name) => {
    expect(() => registerFormat(name, short)).toThrow(RangeError);
  });

  it('needs an encoder', () => {
    expect(() => registerFormat('x', {} as Encoder)).toThrow(TypeError);
  });
});
