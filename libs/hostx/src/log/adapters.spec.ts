import { formatWithOptions } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import { pino } from 'pino';
import { type ConsoleLike, consoleLogger, nestLogger, pinoLogger } from './adapters.js';
import { type HostLogger, harmless } from './host-logger.js';
import { render } from './template.js';

const error = new Error('boom');

function writeAll(logger: HostLogger): void {
  logger.information('Service {Service} ready after {Ms} ms', 'web', 12);
  logger.warning('Careful');
  logger.error(error, 'Reload of {File} failed', 'a.yaml');
}

function spy<M extends string>(...methods: M[]): { calls: unknown[] } & Record<M, () => void> {
  const calls: unknown[] = [];
  const entries = methods.map((name) => [
    name,
    (...args: unknown[]) => calls.push([name, ...args]),
  ]);
  return Object.assign({ calls }, Object.fromEntries(entries)) as { calls: unknown[] } & Record<
    M,
    () => void
  >;
}

describe('logger adapters', () => {
  it('write to a Nest LoggerService', () => {
    const nest = spy('log', 'warn', 'error');
    writeAll(nestLogger(nest));
    expect(nest.calls).toEqual([
      ['log', 'Service web ready after 12 ms', 'Host'],
      ['warn', 'Careful', 'Host'],
      ['error', 'Reload of a.yaml failed: boom', error.stack, 'Host'],
    ]);
  });

  it('write to pino, placeholders as fields and the error as err', () => {
    const lines: string[] = [];
    writeAll(pinoLogger(pino({}, { write: (line: string) => void lines.push(line) })));
    const [info, warn, failed] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(info).toMatchObject({
      level: 30,
      Service: 'web',
      Ms: 12,
      msg: 'Service web ready after 12 ms',
    });
    expect(warn).toMatchObject({ level: 40, msg: 'Careful' });
    expect(failed).toMatchObject({ level: 50, File: 'a.yaml', err: { message: 'boom' } });
  });

  it('write to a console', () => {
    const target = spy('info', 'warn', 'error') satisfies ConsoleLike;
    writeAll(consoleLogger(target));
    expect(target.calls).toEqual([
      ['info', 'hostx: Service web ready after 12 ms', { Service: 'web', Ms: 12 }],
      ['warn', 'hostx: Careful'],
      ['error', 'hostx: Reload of a.yaml failed', { File: 'a.yaml' }, error],
    ]);
  });

  it.each<[string, (log: HostLogger) => void, unknown[]]>([
    [
      'an error after the values of a template',
      (log) => log.error('Reload of {File} failed', 'a.yaml', error),
      ['error', 'hostx: Reload of a.yaml failed', { File: 'a.yaml' }, error],
    ],
    [
      'a template and its value, both texts',
      (log) => log.error('Reload of {File} failed', 'a.yaml'),
      ['error', 'hostx: Reload of a.yaml failed', { File: 'a.yaml' }],
    ],
    [
      'an error and a template, both texts',
      (log) => log.error('disk full', 'Reload of {File} failed', 'a.yaml'),
      ['error', 'hostx: Reload of a.yaml failed', { File: 'a.yaml' }, 'disk full'],
    ],
    [
      'an error after the values of a warning',
      (log) => log.warning('Reload of {File} is late', 'a.yaml', error),
      ['warn', 'hostx: Reload of a.yaml is late', { File: 'a.yaml' }, error],
    ],
    [
      'fields after the values',
      (log) => log.information('Reload of {File}', 'a.yaml', { File: 'b', part: 'http' }),
      ['info', 'hostx: Reload of a.yaml', { File: 'a.yaml', part: 'http' }],
    ],
    [
      'an error and fields after the values',
      (log) => log.warning('Reload of {File} is late', 'a.yaml', error, { part: 'http' }),
      ['warn', 'hostx: Reload of a.yaml is late', { File: 'a.yaml', part: 'http' }, error],
    ],
  ])('take %s as the loggers of logx do', (_, log, call) => {
    const target = spy('info', 'warn', 'error') satisfies ConsoleLike;
    log(consoleLogger(target));
    expect(target.calls).toEqual([call]);
  });

  it('keep the level of a call whose error comes last', () => {
    const nest = spy('log', 'warn', 'error');
    nestLogger(nest).warning('Reload of {File} is late', 'a.yaml', error);
    const lines: string[] = [];
    const pinoLines = pino({}, { write: (line: string) => void lines.push(line) });
    pinoLogger(pinoLines).warning('Reload of {File} is late', 'a.yaml', error);
    expect(nest.calls).toEqual([['warn', 'Reload of a.yaml is late: boom', 'Host']]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 40,
      msg: 'Reload of a.yaml is late',
      err: { message: 'boom' },
    });
  });

  it.each([
    ['Nest', nestLogger],
    ['pino', pinoLogger],
    ['console', consoleLogger],
  ])('throw at once without a %s logger', (which, adapt) => {
    expect(() => adapt(null as never)).toThrow(
      `hostx: the ${which} logger must be a logger, not null`,
    );
  });
});

describe.each(unreadableValues())('a failure that is %s', (_, thrown) => {
  it.each<[string, (lines: unknown[]) => HostLogger]>([
    ['Nest', (lines) => nestLogger(spyInto(lines))],
    ['pino', (lines) => pinoLogger(pino({}, { write: (line: string) => void lines.push(line) }))],
    ['a console', (lines) => consoleLogger(spyInto(lines))],
  ])('is logged once by %s, also as a cause', (_which, loggerInto) => {
    const lines: unknown[] = [];
    const logger = harmless(loggerInto(lines));
    logger.error(thrown, 'Reload failed');
    logger.error(new Error('named', { cause: thrown }), 'Reload failed');
    expect(lines).toHaveLength(2);
    expect(lines.map((line) => String(line).includes('Reload failed'))).toEqual([true, true]);
  });

  it('has a text in a template', () => {
    expect(render('Reload failed: {Reason}', [thrown]).message).toMatch(/^Reload failed: ./);
  });
});

/** A logger that makes a line of its arguments, as a console does. */
function spyInto(lines: unknown[]) {
  const write = (...parts: unknown[]): void => void lines.push(formatWithOptions({}, ...parts));
  return { log: write, info: write, warn: write, error: write };
}

it('a text that was thrown is never the template, even if it has placeholders', () => {
  const target = spy('info', 'warn', 'error') satisfies ConsoleLike;
  harmless(consoleLogger(target)).error('no {token}', 'Reload failed');
  expect(target.calls).toEqual([['error', 'hostx: Reload failed', new Error('no {token}')]]);
});

describe('templates', () => {
  it.each<[string, unknown[], string, object]>([
    ['{A} and {B}', [1, 'x'], '1 and x', { A: 1, B: 'x' }],
    ['{A} and {B}', [1], '1 and {B}', { A: 1 }],
    ['{{A}} {A}', [1], '{A} 1', { A: 1 }],
    ['{ A } {} {', [1], '{ A } {} {', {}],
    ['{A}', [{ b: 1 }], '{"b":1}', { A: { b: 1 } }],
    ['{A}', [undefined], 'undefined', { A: undefined }],
    ['{A}', [Symbol.iterator], 'Symbol(Symbol.iterator)', { A: Symbol.iterator }],
    ['{A}', [error], 'boom', { A: error }],
    ['$& {A}', ['$&'], '$& $&', { A: '$&' }],
  ])('%s with %p is %s', (template, args, message, attributes) => {
    expect(render(template, args)).toEqual({ message, attributes });
  });

  it('survive values that cannot be printed, and names that are traps', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(render('{A}', [cycle]).message).toBe('[unprintable]');
    const { attributes } = render('{__proto__}', [1]);
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
    expect(Object.entries(attributes)).toEqual([['__proto__', 1]]);
  });
});
