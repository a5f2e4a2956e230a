import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { type ConsoleLike, consoleLogger, nestLogger, pinoLogger } from './adapters.js';
import type { HostLogger } from './host-logger.js';
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

  it.each([
    ['Nest', nestLogger],
    ['pino', pinoLogger],
    ['console', consoleLogger],
  ])('throw at once without a %s logger', (which, adapt) => {
    expect(() => adapt(null as never)).toThrow(`hostx: the ${which} logger is missing`);
  });
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
