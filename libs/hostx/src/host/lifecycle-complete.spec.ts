import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { serviceChecks } from '../health/service-checks.js';
import type { HostLogger } from '../log/host-logger.js';
import { render } from '../log/template.js';
import type { AddServiceOptions } from './registration.js';
import { probeService } from '../testing/probe-service.js';
import { Recorder } from '../testing/recorder.js';
import { builderOf, ending, never } from './host.fixture.js';

const allowed: [string, AddServiceOptions][] = [
  ['completes', { completes: true }],
  ["restart: 'on-failure'", { restart: 'on-failure' }],
  ['a policy and completes', { restart: { maxAttempts: 1 }, completes: true }],
];

describe.each(allowed)('a service with %s that returns from start', (_, options) => {
  it('has completed: the host goes on, is ready, and stops without an error', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const lines: string[] = [];
    const log: string[] = [];
    const write = (template: string, ...args: unknown[]): void =>
      void lines.push(render(template, args).message);
    const logger: HostLogger = {
      information: write,
      warning: write,
      error: (_error, template, ...args) => write(template, ...args),
    };
    const warmed = new Promise<void>((resolve) => void clock.after(5_000, resolve));
    const host = builderOf(clock)
      .withLogger(logger)
      .withObserver(recorder.observer)
      .addService(probeService('warm', log, { start: () => warmed }), options)
      .addService(probeService('web', log))
      .build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    await clock.advance(100_000);
    expect(host.state.phase).toBe('running');
    expect(host.state.services).toMatchObject([
      { name: 'warm', state: 'completed', restarts: 0, lastError: undefined },
      { name: 'web', state: 'ready' },
    ]);
    expect(lines).toContain('Service warm completed after 5000 ms');
    expect(recorder.has('serviceCompleted', 'warm')).toBe(true);
    expect(recorder.has('serviceFailed')).toBe(false);
    for (const one of serviceChecks(() => host.state)) {
      expect(() => one.check(new AbortController().signal)).not.toThrow();
    }
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log.filter((line) => line === 'warm stop')).toHaveLength(1);
  });

  it('lets the services after it start, also where it was never ready', async () => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .withStartTimeout('1s')
      .withBootTimeout('1s')
      .addService(probeService('warm', [], { start: () => {}, ready: never }), options)
      .addService(probeService('web', []))
      .build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    host.shutdown();
    expect(await run).toBe('nil');
  });
});

describe('a service that may complete', () => {
  it.each<[string, AddServiceOptions, string]>([
    ['stops the host', { completes: true }, 'hostx: service warm: boom'],
    [
      'is restarted, as its policy says,',
      { restart: { maxAttempts: 2 }, completes: true },
      'hostx: service warm: gave up after 2 restarts: boom',
    ],
  ])('%s after an error', async (_, options, message) => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .addService({ name: 'warm', start: () => Promise.reject(new Error('boom')) }, options)
      .build();
    const run = ending(host.runContext());
    await clock.advance(60_000);
    expect(await run).toBe(message);
  });

  it('is restarted after an error and completes then', async () => {
    const clock = fakeClock();
    let runs = 0;
    const start = (): Promise<void> =>
      ++runs < 3 ? Promise.reject(new Error('boom')) : Promise.resolve();
    const host = builderOf(clock)
      .addService({ name: 'warm', start }, { restart: 'on-failure' })
      .build();
    const run = ending(host.runContext());
    await clock.advance(60_000);
    expect(host.state.services).toMatchObject([{ state: 'completed', restarts: 2 }]);
    expect(runs).toBe(3);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('and whose ready rejects has failed, though its start returns', async () => {
    const clock = fakeClock();
    const ready = (): Promise<never> => Promise.reject(new Error('no port'));
    const service = probeService('warm', [], { ready });
    const host = builderOf(clock).addService(service, { completes: true }).build();
    expect(await ending(host.runContext())).toBe('hostx: service warm: not ready: no port');
  });
});

it('options that are neither a policy nor "on-failure" keep the host from being built', () => {
  const wrong = { restart: 'always', completes: 'yes' } as unknown as AddServiceOptions;
  expect(() => builderOf().addService(probeService('a', []), wrong).build()).toThrow(
    new Error(
      [
        'hostx: the host cannot be built: 2 mistakes:',
        'service a: restart: must be a policy or "on-failure", not "always"',
        'service a: completes: must be true or false, not "yes"',
      ].join('\n  '),
    ),
  );
});
