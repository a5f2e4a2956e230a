import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError } from '../config/config-error.js';
import { loadConfig } from '../config/load-config.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import type { SinkContext } from '../sinks/sink.js';
import { customSink } from '../sinks/custom-sink.js';
import { consoleSink, stdoutSink } from '../sinks/standard-sinks.js';
import { fileSink } from '../sinks/file-sink.js';

const clock = fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5, 678));

/** The lines of a layout. */
function written(
  layout: string,
  say: (log: Logger) => void,
  options: LoggerOptions & { readonly color?: boolean } = {},
): string {
  let lines = '';
  const sink = customSink({ write: (line) => void (lines += line) }, { format: 'console', layout });
  const { color = false, ...others } = options;
  say(
    createLogger({
      clock,
      sinks: [{ ...sink, color, open: (context: SinkContext) => sink.open(context) }],
      ...others,
    }),
  );
  return lines;
}

const sold = (log: Logger): void =>
  log.named('shop').forContext('logger', 'orders').warning('Sold {Count} of {Item}', 3, 'tea');

it.each([undefined, '{time} {level} {message}'])(
  'a layout of times shows its quotes as they are and breaks no line, in the layout %s',
  (layout) => {
    let shown = '';
    const sink = customSink(
      { write: (line) => void (shown = line) },
      { format: 'console', layout },
    );
    createLogger({ clock, sinks: [sink], timeFormat: '2006 "at"\n15:04' }).info('x');
    expect(shown).toBe('2026 "at"\\u000a03:04 INF x\n');
  },
);

describe('a layout of the console', () => {
  it.each([
    ['{message}', 'Sold 3 of tea\n'],
    ['{time} {level} {message}', '2026-11-21T03:04:05Z WRN Sold 3 of tea\n'],
    ['{time:TimeOnly} [{level}] {message}', '03:04:05 [WRN] Sold 3 of tea\n'],
    ['{level:u3} {level:w3} {level:t3} {message}', 'WRN wrn Wrn Sold 3 of tea\n'],
    ['{level:u} {level:w} {level:t} {message}', 'WARN warn Warn Sold 3 of tea\n'],
    ['[{level,-6}] [{level,6:w}] {message}', '[WRN   ] [  warn] Sold 3 of tea\n'],
    ['{logger,-8}| {message}', 'orders  | Sold 3 of tea\n'],
    ['{logger,3} {message}', 'orders Sold 3 of tea\n'],
    ['{RequestId,4}{Other}|{message}', '    |Sold 3 of tea\n'],
    ['{message} {fields}', 'Sold 3 of tea service=shop logger=orders\n'],
    ['{logger} {message} {fields}', 'orders Sold 3 of tea service=shop\n'],
    ['{logger}/{service}: {message} ({fields})', 'orders/shop: Sold 3 of tea ()\n'],
    ['{Count:000} {message}', '003 Sold 3 of tea\n'],
    ['{fields.Item} {message} {fields.level}', 'tea Sold 3 of tea\n'],
    ['{{{level}}} {message}', '{WRN} Sold 3 of tea\n'],
    ['{message}\n    in {logger}', 'Sold 3 of tea\n    in orders\n'],
  ])('%j', (layout, expected) => {
    expect(written(layout, sold)).toBe(expected);
  });

  it('writes the error and the stack below, or where it has places for them', () => {
    const failed = Object.assign(new TypeError('declined'), {
      stack: 'TypeError: declined\n  at x',
    });
    const say = (log: Logger): void => log.error(failed, 'Payment failed');
    const options = { stackTrace: true };
    const stack = '    TypeError: declined\n      at x\n';
    expect(written('{message}', say)).toBe('Payment failed\n    declined\n');
    expect(written('{message}', say, options)).toBe(`Payment failed\n    declined\n${stack}`);
    expect(written('{message}: {error}', say)).toBe('Payment failed: declined\n');
    expect(written('{message}: {error}', say, options)).toBe(`Payment failed: declined\n${stack}`);
    expect(written('{message}\n{stack}', say, options)).toBe(
      'Payment failed\nTypeError: declined\n      at x\n    declined\n',
    );
    expect(written('{message}: {error}', sold)).toBe('Sold 3 of tea:\n');
  });

  it('follows the options of the logger', () => {
    expect(written('{time}{message}', sold, { timestamp: false })).toBe('Sold 3 of tea\n');
    expect(written('{message} {fields}', sold, { renderedMessage: false })).toBe(
      'Sold {Count} of {Item} service=shop logger=orders Count=3 Item=tea\n',
    );
    expect(written('{message} {time}', sold, { timeFormat: 'TimeUnixMs' })).toBe(
      `Sold 3 of tea ${clock.now()}\n`,
    );
    expect(written('{message} ({caller})', sold, { caller: true })).toMatch(
      /^Sold 3 of tea \(.*console-layout\.spec\.ts:\d+\)\n$/,
    );
  });

  it('paints after the widths, so that columns stay', () => {
    const text = written('{level,-5}|{fields}|{message}', sold, { color: true });
    expect(text).toBe(
      '\u001b[33mWRN  \u001b[0m|\u001b[2mservice=\u001b[0mshop \u001b[2mlogger=\u001b[0morders|Sold 3 of tea\n',
    );
  });

  it('lets nothing that is logged look like a line of its own', () => {
    const evil = 'x\u001b[2K\r\n2026 ERR forged';
    const text = written('{tenant} {message} {error} {fields}', (log) =>
      log.forContextValues({ tenant: evil, other: evil }).error(new Error(evil), '{A}', evil),
    );
    for (const line of text.split('\n').slice(1, -1)) expect(line).toMatch(/^ {4}/);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\r');
  });

  it('is encoded once for all sinks that have the same', () => {
    const lines: string[] = [];
    const sinkOf = (layout?: string) =>
      customSink({ write: (line) => void lines.push(line) }, { format: 'console', layout });
    const log = createLogger({
      clock,
      sinks: [sinkOf('{message}'), sinkOf('{message}'), sinkOf('> {message}'), sinkOf()],
    });
    log.information('x');
    expect(lines).toEqual(['x\n', 'x\n', '> x\n', '2026-11-21T03:04:05Z INF x\n']);
  });

  it.each([
    ['{level}', 'must contain {message}'],
    ['', 'must contain {message}'],
    [
      '{mesage}',
      'has {mesage}, which is not known here; did you mean {message}? A field of that name is {fields.mesage}',
    ],
    ['{Level} {message}', 'did you mean {level}?'],
    ['{Timestamp:HH:mm:ss} {message}', 'has {Timestamp}, which is not known here; use {time}'],
    ['{message}{NewLine}', 'use a line break'],
    ['{message} {Exception}', 'use {error}, or leave it out'],
    ['{SourceContext} {message}', 'use {logger}'],
    ['{message', 'has a brace outside of a hole'],
    ['{message} {}', 'has a brace outside of a hole'],
    ['{message} }', 'has a brace outside of a hole'],
    ['{message,1000}', 'has a brace outside of a hole'],
    ['{@message}', 'must not have @ or $ in {@message}'],
    ['{message:lj}', 'must not have a format in {message}'],
    ['{level:u4} {message}', 'has the format "u4" of a level; use u3, w3, t3, u, w or t'],
    ['{time:yyyy} {message}', 'unknown time format "yyyy"'],
    ['{tenant:??} {message}', 'has the unknown format "??" in {tenant}'],
  ])('%j is refused, in documents and in code', (layout, mistake) => {
    const sinks = [{ type: 'console', layout }];
    const mistakes = (): readonly string[] => {
      try {
        return loadConfig(JSON.stringify({ sinks })).options().sinks === undefined ? [] : [];
      } catch (error) {
        return (error as ConfigError).mistakes;
      }
    };
    expect(mistakes()).toEqual([expect.stringMatching(/^sinks\[0\]\.layout: /)]);
    expect(mistakes()[0]).toContain(mistake);
    expect(() => consoleSink({ layout })).toThrow(mistake);
  });

  it.each([
    ['sinks: [{ type: stdout, layout: "{message}" }]'],
    ['sinks: [{ type: console, format: ecs, layout: "{message}" }]'],
  ])('has no effect and is refused in %s', (document) => {
    const mistake = 'sinks[0]: layout applies only to the format console';
    expect(() => loadConfig(document).options()).toThrow(mistake);
    const sinks = [stdoutSink({ layout: '{message}' })];
    expect(() => createLogger({ sinks })).toThrow(mistake);
  });

  it('applies to the console format of any sink, also in documents', () => {
    const { sinks } = loadConfig(`
sinks:
  - { type: console, layout: "{level:u3} {message}" }
  - { type: stdout, format: console, layout: "{message}" }
  - { type: file, path: a.log, format: console, layout: "{time} {message}" }`).options();
    expect(sinks).toMatchObject([
      { layout: '{level:u3} {message}' },
      { layout: '{message}' },
      { layout: '{time} {message}' },
    ]);
    expect(fileSink('a', { format: 'console', layout: '{message}' }).layout).toBe('{message}');
  });

  it('is either refused or one line for an event of one line', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '{{',
      '}}',
      '{message}',
      '{level,9}',
      '{time}',
      '{a.b}',
      ' ',
      'x:',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const layout = parts.join('');
        const sinks = (): unknown => consoleSink({ layout });
        let isRight = true;
        try {
          sinks();
        } catch {
          isRight = false;
        }
        const lines = isRight ? written(layout, (log) => log.information('hello')) : 'hello\n';
        expect(lines.split('\n')).toHaveLength(2);
        expect(lines).toContain('hello');
      }),
    );
  });
});
