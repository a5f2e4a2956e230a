import { describe, expect, it } from '@jest/globals';
import * as core from '../core/index.js';
import * as root from '../index.js';
import { registerShipping, type Ship, shippingSink } from './shipping-sink.fixture.js';

const { configOf, createLogger, deadlineAfter } = core;

function shipping(): { readonly batches: string[][]; readonly ship: Ship } {
  const batches: string[][] = [];
  return { batches, ship: async (lines) => void batches.push([...lines]) };
}

describe('a sink of another package, which has the public exports only', () => {
  it('gets the lines of its format, and sends what it has when the logger is closed', async () => {
    const { batches, ship } = shipping();
    const log = createLogger({ sinks: [shippingSink({ ship })], timestamp: false });
    log.named('shop').info('{A}', 1);
    await log.flush();
    log.info('two');
    await log.close();
    expect(batches.map((lines) => lines.map((line) => JSON.parse(line) as unknown))).toEqual([
      [expect.objectContaining({ 'ecs.version': '8.11.0', 'service.name': 'shop', A: 1 })],
      [expect.objectContaining({ message: 'two' })],
    ]);
  });

  it('is created for each logger, and reports to the error handler of that logger', async () => {
    const spec = shippingSink({ ship: () => Promise.reject(new Error('503')), queueSize: 1 });
    const told: string[][] = [[], []];
    const loggers = told.map((errors) =>
      createLogger({ sinks: [spec], errorHandler: ({ message }) => errors.push(message) }),
    );
    for (let i = 0; i < 3; i++) loggers[0]!.info('x');
    loggers[1]!.info('x');
    await Promise.all(loggers.map((log) => log.close()));
    expect(told[0]).toEqual(['shipping: 1 events are lost', 'shipping: 3 dropped']);
    expect(told[1]).toEqual(['shipping: 1 events are lost', 'shipping: 1 dropped']);
  });

  it('is given the deadline of flush and close', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const ship: Ship = async (_lines, signal) => void signals.push(signal);
    const log = createLogger({ sinks: [shippingSink({ ship })] });
    const deadline = deadlineAfter(1_000);
    log.info('one');
    await log.flush(deadline);
    log.info('two');
    await log.close(deadline);
    deadline.dispose();
    expect(signals).toEqual([deadline.signal, deadline.signal]);
  });

  it('refuses a function that does not return a sink', () => {
    expect(() =>
      createLogger({ sinks: [core.customSink(() => ({}), { kind: 'hollow' })] }),
    ).toThrow('logx: the sink hollow must have write(line) or emit(event)');
  });

  it('is a type of configuration documents', async () => {
    const { batches, ship } = shipping();
    const { read } = registerShipping(ship);
    const options = { index: 'shop', interval: '1m' };
    const log = configOf({ sinks: [{ type: 'Shipping', options, level: 'error' }] }).build();
    log.info('x');
    log.error(null, 'y');
    await log.close();
    expect(read).toEqual([{ index: 'shop', queueSize: undefined, interval: 60_000 }]);
    expect(batches).toEqual([[expect.stringContaining('"message":"y"')]]);
  });
});

describe('the root export', () => {
  it('has everything that core has', () => {
    expect(Object.keys(root)).toEqual(expect.arrayContaining(Object.keys(core)));
  });
});
