import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WORK_SCOPE, type WorkScope } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import { fakeClock, unreadableValues } from '@apix/contracts/testing';
import type { HostLogger } from '../log/host-logger.js';
import type { Observer } from '../observer.js';
import type { Service } from '../service.js';
import { probeService } from '../testing/probe-service.js';
import type { HostBuilder } from './host-builder.js';
import { builderOf, ending, never } from './host.fixture.js';

type Panic = () => never | Promise<never>;

const throws: Panic = () => {
  throw new Error('boom');
};
const rejects: Panic = () => Promise.reject(new Error('boom'));
const late: Panic = async () => {
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('boom');
};

const uncaught: unknown[] = [];
const onUncaught = (error: unknown): void => void uncaught.push(error);
beforeEach(() => {
  uncaught.length = 0;
  process.on('unhandledRejection', onUncaught);
});
afterEach(() => {
  process.off('unhandledRejection', onUncaught);
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const failing: Service = { name: 'frail', start: () => Promise.reject(new Error('reason')) };

/** Points at which a panic ends the run with an error that has its message. */
const reported: [string, (builder: HostBuilder, panic: Panic) => unknown][] = [
  ['startup task', (b, panic) => b.addStartupTask('x', panic)],
  ['start', (b, start) => b.addService(probeService('x', [], { start }))],
  ['ready', (b, panic) => b.addService(probeService('x', [], { ready: async () => panic() }))],
  ['ready, thrown', (b, panic) => b.addService(probeService('x', [], { ready: panic }))],
  ['stop', (b, stop) => b.addService(probeService('x', [], { stop }))],
  [
    'start, after the abort',
    (b, panic) =>
      b.addService({
        name: 'x',
        start: async (signal) => {
          await untilAborted(signal);
          await panic();
        },
      }),
  ],
  ['started hook', (b, panic) => b.onStarted(panic)],
  ['stopping hook', (b, panic) => b.onStopping(panic)],
  ['teardown', (b, panic) => b.addTeardown('x', panic)],
  ['stopped hook', (b, panic) => b.onStopped(panic)],
  ['closer', (b, panic) => b.addCloser('x', panic)],
];

/** Points at which a panic is logged at most. */
const harmless: [string, (builder: HostBuilder, panic: Panic) => unknown][] = [
  ['reload hook', (b, panic) => b.onReload(panic)],
  ['beginDrain', (b, beginDrain) => b.addService(probeService('x', [], { beginDrain }))],
  ...(
    [
      'hostPhaseChanged',
      'serviceStarting',
      'serviceStarted',
      'serviceReady',
      'serviceStopping',
      'serviceStopped',
      'taskDone',
      'reloadDone',
    ] as const
  ).map((kind): [string, (builder: HostBuilder, panic: Panic) => unknown] => [
    `observer ${kind}`,
    (b, panic) => b.withObserver({ [kind]: panic }),
  ]),
];

describe.each([
  ['thrown', throws],
  ['rejected', rejects],
  ['rejected later', late],
])('a panic that is %s', (_, panic) => {
  it.each(reported)('in %s ends the run with its error, all that started stops', async (_, put) => {
    const log: string[] = [];
    const builder = builderOf().addService(probeService('a', log));
    put(builder, panic);
    const host = builder.onStopped(() => void log.push('stopped')).build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    expect(await run).toContain('boom');
    const startedAndStopped = ['a start', 'a stop', 'a abort', 'stopped'];
    expect([startedAndStopped, ['stopped']]).toContainEqual(log);
    await turns();
    expect(uncaught).toEqual([]);
  });

  it.each(harmless)('in %s changes nothing', async (_, put) => {
    const log: string[] = [];
    const builder = builderOf()
      .addStartupTask('t', () => {})
      .addService(probeService('a', log));
    put(builder, panic);
    const host = builder.build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    void host.reload();
    await turns();
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log).toEqual(['a start', 'a stop', 'a abort']);
    await turns();
    expect(uncaught).toEqual([]);
  });
});

describe.each([
  ['thrown', throws],
  ['rejected', rejects],
  ['rejected later', late],
])('an observer of trouble whose panic is %s', (_, panic) => {
  it.each<[keyof Observer, (builder: HostBuilder) => unknown, string]>([
    [
      'serviceRestarting',
      (b) => b.addService(failing, { restart: { initialDelay: 0, maxAttempts: 2 } }),
      'gave up after 2 restarts: reason',
    ],
    ['serviceFailed', (b) => b.addService(failing), 'hostx: service frail: reason'],
    [
      'serviceAbandoned',
      (b) => b.addService({ ...failing, stop: never }),
      'hostx: service frail: did not stop within 1000 ms; abandoned',
    ],
  ])('%s changes nothing of how the run ends', async (kind, put, message) => {
    const clock = fakeClock();
    const log: string[] = [];
    const told: string[] = [];
    const builder = builderOf(clock)
      .withShutdownTimeout('1s')
      .withObserver({
        [kind]: () => {
          told.push(kind);
          return panic();
        },
      })
      .addService(probeService('a', log));
    put(builder);
    const run = ending(builder.build().runContext());
    await clock.advance(2_000);
    expect(await run).toContain(message);
    expect(told).toContain(kind);
    expect(log).toEqual(['a start', 'a stop', 'a abort']);
    await turns();
    expect(uncaught).toEqual([]);
  });
});

describe('a panic', () => {
  it('in a restarted run is a failure like any other', async () => {
    const clock = fakeClock();
    let runs = 0;
    const host = builderOf(clock)
      .addService(
        {
          name: 'x',
          start: () => {
            runs += 1;
            throw new Error('boom');
          },
        },
        { restart: { maxAttempts: 3 } },
      )
      .build();
    const run = ending(host.runContext());
    await clock.advance(60_000);
    expect(await run).toContain('gave up after 3 restarts');
    expect(runs).toBe(4);
  });

  it('in a work scope is a failure of the service in it', async () => {
    const host = builderOf()
      .withWorkScope({ [WORK_SCOPE]: true, run: throws as WorkScope['run'] })
      .addService(probeService('x', []))
      .build();
    expect(await ending(host.runContext())).toContain('service x: boom');
  });

  it('in the logger is dropped', async () => {
    const logger: HostLogger = { information: throws, warning: throws, error: throws };
    const host = builderOf().withLogger(logger).addService(probeService('x', [])).build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    host.shutdown();
    expect(await run).toBe('nil');
  });
});

describe.each(unreadableValues())('a panic that throws %s', (_, thrown) => {
  const panic: Panic = () => Promise.reject(thrown);

  it.each(reported)('in %s is reported, and all that started stops', async (_, put) => {
    const log: string[] = [];
    const logged: unknown[] = [];
    const logger: HostLogger = {
      information: () => {},
      warning: () => {},
      error: (error) => void logged.push(error),
    };
    const builder = builderOf().withLogger(logger).addService(probeService('a', log));
    put(builder, panic);
    const host = builder.onStopped(() => void log.push('stopped')).build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    expect(await run).toMatch(/^hostx: .+: ./);
    const startedAndStopped = ['a start', 'a stop', 'a abort', 'stopped'];
    expect([startedAndStopped, ['stopped']]).toContainEqual(log);
    expect(logged).toHaveLength(1);
    await turns();
    expect(uncaught).toEqual([]);
  });

  it('is a reason to restart a service like any other', async () => {
    const clock = fakeClock();
    let runs = 0;
    const start = (): Promise<never> => {
      runs += 1;
      return Promise.reject(thrown);
    };
    const host = builderOf(clock)
      .addService({ name: 'x', start }, { restart: { maxAttempts: 3 } })
      .build();
    const run = ending(host.runContext());
    await clock.advance(60_000);
    expect(await run).toMatch(/^hostx: service x: gave up after 3 restarts: ./);
    expect(runs).toBe(4);
  });

  it('is what a reload rejects with, and the host goes on', async () => {
    const host = builderOf().addService(probeService('a', [])).onReload(panic, 'keys').build();
    const run = ending(host.runContext());
    await host.started;
    await expect(host.reload()).rejects.toThrow(/^hostx: reload hook keys: ./);
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('nil');
  });
});
