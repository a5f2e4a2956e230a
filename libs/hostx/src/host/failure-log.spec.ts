import { describe, expect, it } from '@jest/globals';
import { untilAborted } from '@apix/contracts/internal';
import { fakeClock } from '@apix/contracts/testing';
import { pino } from 'pino';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { formatWithOptions } from 'node:util';
import { consoleLogger, nestLogger, pinoLogger } from '../log/adapters.js';
import type { HostLogger } from '../log/host-logger.js';
import { httpService } from '../http/http-service.js';
import { Host, type HostBuilder } from './host-builder.js';
import { builderOf, ending } from './host.fixture.js';

function readOrder(): never {
  throw new Error('no such table');
}

function sendOrders(): never {
  try {
    readOrder();
  } catch (cause) {
    throw new Error('cannot send', { cause });
  }
}

const loggers: [string, (lines: string[]) => HostLogger][] = [
  ['Nest', (lines) => nestLogger(printer(lines))],
  ['a console', (lines) => consoleLogger(printer(lines))],
  ['pino', (lines) => pinoLogger(pino({}, { write: (line) => void lines.push(line) }))],
];

/** Prints its arguments as a console does. */
function printer(lines: string[]) {
  const write = (...parts: unknown[]): void => void lines.push(formatWithOptions({}, ...parts));
  return { log: write, info: write, warn: write, error: write };
}

const failures: [string, (builder: HostBuilder) => unknown][] = [
  ['ended a service', (b) => b.addService({ name: 'x', start: sendOrders })],
  [
    'restarted a service',
    (b) => b.addService({ name: 'x', start: sendOrders }, { restart: { maxAttempts: 1 } }),
  ],
  [
    'kept a service from being ready',
    (b) =>
      b.addService({
        name: 'x',
        start: () => new Promise(() => {}),
        ready: () => Promise.reject(thrown()),
      }),
  ],
  ['ended a task', (b) => b.addStartupTask('x', sendOrders)],
  ['ended a started hook', (b) => b.onStarted(sendOrders, 'x')],
  ['failed a reload hook', (b) => stopping(b).onReload(sendOrders, 'x')],
  ['failed a stopping hook', (b) => stopping(b).onStopping(sendOrders, 'x')],
  ['failed a stopped hook', (b) => stopping(b).onStopped(sendOrders, 'x')],
  [
    'failed the stop of a service',
    (b) => stopping(b).addService({ name: 'x', start: untilAborted, stop: sendOrders }),
  ],
];

/** Reloads the host once it runs, and then stops it. */
function stopping(builder: HostBuilder): HostBuilder {
  let host: Host | undefined;
  const end = (): void => host!.shutdown();
  return builder
    .onBuilt((built) => (host = built))
    .onStarted(() => void setImmediate(() => void host!.reload().then(end, end)));
}

function thrown(): unknown {
  try {
    return sendOrders();
  } catch (error) {
    return error;
  }
}

describe.each(loggers)('a line of %s about an error that', (_which, loggerInto) => {
  it.each(failures)('%s has the frames of the app and of its cause', async (_, put) => {
    const lines: string[] = [];
    const clock = fakeClock();
    const builder = builderOf(clock).withShutdownTimeout('1s').withLogger(loggerInto(lines));
    put(builder);
    const run = ending(builder.build().runContext());
    await clock.advance(5_000);
    await run;
    const told = lines.filter((line) => line.includes('cannot send'));
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) {
      expect(line).toMatch(/sendOrders .*failure-log\.spec/);
      expect(line).toMatch(/no such table[^]*readOrder .*failure-log\.spec/);
      expect(line).not.toMatch(/at errorIn|at Supervisor\.#(failed|prematureEnd|gaveUp)/);
    }
  });

  it('names its service already has its text once, although what it is about is its cause', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const lines: string[] = [];
    const http = httpService({ port, host: '127.0.0.1', handler: () => {}, activation: false });
    const builder = Host.builder().withLogger(loggerInto(lines)).addService(http);
    await expect(builder.build().runContext()).rejects.toThrow('is in use');
    taken.close();
    const [told, ...more] = lines.filter((line) => line.includes('is in use'));
    expect(more).toEqual([]);
    // Nest and pino tell the message of an error beside its stack as well.
    expect(told!.match(/HostError: hostx: http service http: .*? is in use/g)).toHaveLength(1);
    expect(told).toContain('listen EADDRINUSE');
    expect(told).not.toContain('mistakes');
  });

  it('ended a service and is followed by a restart is logged, and named', async () => {
    const lines: string[] = [];
    const clock = fakeClock();
    const host = builderOf(clock)
      .withLogger(loggerInto(lines))
      .addService({ name: 'x', start: sendOrders }, { restart: { initialDelay: '1s' } })
      .build();
    const run = ending(host.runContext());
    await clock.advance(500);
    host.shutdown();
    await run;
    const restart = lines.find((line) => line.includes('restarts in 1000 ms, attempt 1'));
    expect(restart).toMatch(/Service x ended early/);
    expect(restart).toMatch(/hostx: service x: cannot send/);
    expect(restart).toMatch(/readOrder .*failure-log\.spec/);
  });
});
