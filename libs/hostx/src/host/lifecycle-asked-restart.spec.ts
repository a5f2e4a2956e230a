import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { untilAborted } from '@apix/contracts/internal';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { serviceChecks } from '../health/service-checks.js';
import type { Service } from '../service.js';
import type { RestartPolicy } from '../supervision/restart-policy.js';
import { probeService } from '../testing/probe-service.js';
import { Recorder } from '../testing/recorder.js';
import type { Host } from './host-builder.js';
import { builderOf, ending, never } from './host.fixture.js';
import type { AddServiceOptions } from './registration.js';

/** A host that runs these services, with what it reported. */
async function running(
  services: readonly (readonly [Service, AddServiceOptions?])[],
  clock: FakeClock = fakeClock(),
) {
  const recorder = new Recorder();
  const builder = builderOf(clock).withObserver(recorder.observer).withShutdownTimeout('30s');
  for (const [service, options] of services) builder.addService(service, options);
  const host = builder.build();
  const run = ending(host.runContext());
  expect(await host.started).toBe(true);
  return { host, run, recorder };
}

async function stopped({ host, run }: { host: Host; run: Promise<string> }): Promise<string> {
  host.shutdown();
  return run;
}

const statusOf = (host: Host, name: string) =>
  host.state.services.find((service) => service.name === name)!;

/** Fails as often as it is told to. */
function crashing(name: string): Service & { crash(): void } {
  let fail = (_error: Error): void => {};
  return {
    name,
    start: (signal) =>
      new Promise<void>((resolve, reject) => {
        fail = reject;
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    crash: () => fail(new Error('boom')),
  };
}

describe('restartService', () => {
  it.each<[string, RestartPolicy | undefined]>([
    ['without a restart policy', undefined],
    ['with one', { maxAttempts: 1, intensity: { restarts: 1, per: '1h' } }],
  ])('stops one service and starts it again %s, which is no failure', async (_, restart) => {
    const log: string[] = [];
    const all = await running([
      [probeService('a', log), { restart }],
      [probeService('b', log), { after: ['a'] }],
    ]);
    const { host, recorder } = all;
    log.length = 0;
    await host.restartService('a');
    await host.restartService('a');
    expect(log).toEqual(['a stop', 'a abort', 'a start', 'a stop', 'a abort', 'a start']);
    expect(statusOf(host, 'a')).toMatchObject({
      state: 'ready',
      attempt: 0,
      restarts: 0,
      askedRestarts: 2,
      lastError: undefined,
    });
    expect(recorder.has('serviceRestarting') || recorder.has('serviceFailed')).toBe(false);
    const kinds = recorder.events.filter(({ service }) => service === 'a').map(({ kind }) => kind);
    expect(kinds.slice(-6)).toEqual([
      'serviceRestartAsked',
      'serviceStopping',
      'serviceStopped',
      'serviceStarting',
      'serviceStarted',
      'serviceReady',
    ]);
    const readings = [...host.metrics()].filter(
      ({ attributes }) => attributes?.['service'] === 'a',
    );
    expect(readings).toMatchObject([
      { name: 'hostx.service.restarts', value: 0 },
      { name: 'hostx.service.asked_restarts', value: 2 },
    ]);
    expect(await stopped(all)).toBe('nil');
  });

  it('leaves those that wait for the service running, and a shutdown stops them before it', async () => {
    const log: string[] = [];
    const all = await running([
      [probeService('db', log)],
      [probeService('orders', log), { after: ['db'] }],
    ]);
    await all.host.restartService('db');
    expect(log.filter((line) => line.startsWith('orders'))).toEqual(['orders start']);
    log.length = 0;
    expect(await stopped(all)).toBe('nil');
    expect(log).toEqual(['orders stop', 'orders abort', 'db stop', 'db abort']);
  });

  it('fails readiness from the stop until the service is ready again', async () => {
    let letStop = (): void => {};
    let letReady = (): void => {};
    let starts = 0;
    const slow = probeService('slow', [], {
      stop: () => new Promise<void>((resolve) => (letStop = resolve)),
      ready: () =>
        ++starts === 1 ? Promise.resolve() : new Promise<void>((resolve) => (letReady = resolve)),
    });
    const clock = fakeClock();
    const all = await running([[slow]], clock);
    const [check] = serviceChecks(() => all.host.state);
    const outcome = async (): Promise<string> => {
      await clock.advance(0);
      try {
        await check!.check(AbortSignal.timeout(1_000));
        return 'ok';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const seen = [await outcome()];
    const done = all.host.restartService('slow');
    seen.push(await outcome());
    letStop();
    seen.push(await outcome());
    letReady();
    await done;
    seen.push(await outcome());
    expect(seen).toEqual(['ok', 'stopping', 'starting', 'ok']);
    all.host.shutdown();
    await clock.advance(0);
    letStop();
    expect(await all.run).toBe('nil');
  });

  it('refuses a service that is restarted already, and does it once', async () => {
    const log: string[] = [];
    const all = await running([[probeService('a', log)]]);
    const asks = [1, 2, 3].map(() => ending(all.host.restartService('a')));
    expect(await Promise.all(asks)).toEqual([
      'nil',
      'hostx: restartService: service a is stopping; it must be ready or in backoff',
      'hostx: restartService: service a is stopping; it must be ready or in backoff',
    ]);
    expect(statusOf(all.host, 'a').askedRestarts).toBe(1);
    expect(log.filter((line) => line === 'a start')).toHaveLength(2);
    expect(await stopped(all)).toBe('nil');
  });

  it.each<[string, string, string]>([
    ['an unknown name', 'x', 'there is no service "x"; use one of once, hangs, door'],
    ['a service that has completed', 'once', 'service once is completed; it must be'],
    ['a transport', 'door', 'service door is a transport, which brings work into the app;'],
  ])('refuses %s', async (_, name, why) => {
    const all = await running([
      [{ name: 'once', start: () => {} }, { completes: true }],
      [probeService('hangs', [])],
      [probeService('door', []), { tier: 'transport' }],
    ]);
    expect(await ending(all.host.restartService(name))).toContain(`hostx: restartService: ${why}`);
    expect(statusOf(all.host, 'door').state).toBe('ready');
    expect(await stopped(all)).toBe('nil');
  });

  it('refuses while the host starts, stops and has stopped', async () => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .addService(probeService('a', []))
      .addService(probeService('b', [], { stop: () => clock.advance(0) }))
      .build();
    const refusal = (phase: string) =>
      `hostx: restartService: the host is ${phase}; it must be running`;
    expect(await ending(host.restartService('a'))).toBe(refusal('idle'));
    const run = ending(host.runContext());
    expect(await ending(host.restartService('a'))).toBe(refusal('starting'));
    await host.started;
    host.shutdown();
    expect(await ending(host.restartService('a'))).toBe(refusal('stopping'));
    expect(await run).toBe('nil');
    expect(await ending(host.restartService('a'))).toBe(refusal('stopped'));
  });

  it('starts a service in backoff at once, and its next failure is the first again', async () => {
    const clock = fakeClock();
    const frail = crashing('frail');
    const all = await running([[frail, { restart: { initialDelay: '10s', factor: 2 } }]], clock);
    const delays = (): unknown[] =>
      all.recorder.events
        .filter(({ kind }) => kind === 'serviceRestarting')
        .map(({ detail }) => detail['delayMs']);
    frail.crash();
    await clock.advance(10_000);
    frail.crash();
    await clock.advance(1);
    expect(delays()).toEqual([10_000, 20_000]);
    expect(statusOf(all.host, 'frail').state).toBe('backoff');
    await all.host.restartService('frail');
    expect(statusOf(all.host, 'frail')).toMatchObject({ state: 'ready', attempt: 0, restarts: 2 });
    // The delay is over, and starts nothing a second time.
    await clock.advance(30_000);
    expect(all.recorder.events.filter(({ kind }) => kind === 'serviceStarting')).toHaveLength(3);
    frail.crash();
    await clock.advance(0);
    expect(delays()).toEqual([10_000, 20_000, 10_000]);
    expect(await stopped(all)).toBe('nil');
    expect(clock.pending).toBe(0);
  });

  it.each<[string, AddServiceOptions, number]>([
    ['its stop timeout', { stopTimeout: '5s' }, 5_000],
    ['the shutdown timeout', {}, 30_000],
  ])(
    'abandons a service that does not stop within %s, and the host stops',
    async (_, options, ms) => {
      const clock = fakeClock();
      const log: string[] = [];
      const stuck = probeService('stuck', log, { stop: never });
      const all = await running([[stuck, options], [probeService('other', log)]], clock);
      const done = ending(all.host.restartService('stuck'));
      await clock.advance(ms - 1);
      expect(all.host.state.phase).toBe('running');
      await clock.advance(1);
      const message = `hostx: service stuck: did not stop within ${ms} ms; abandoned`;
      expect(await done).toBe(message);
      expect(await all.run).toBe(message);
      expect(all.recorder.has('serviceAbandoned', 'stuck')).toBe(true);
      expect(log.filter((line) => line === 'stuck start')).toHaveLength(1);
      expect(statusOf(all.host, 'stuck')).toMatchObject({ state: 'abandoned' });
      expect(log).toContain('other stop');
    },
  );

  it('is given up by a shutdown that comes while it stops, and starts nothing again', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const slow = probeService('slow', log, {
      stop: () =>
        new Promise<void>((_, reject) => void clock.after(100, () => reject(new Error('no')))),
      beginDrain: () => void log.push('slow drains'),
    });
    const all = await running([[slow], [probeService('other', log)]], clock);
    const done = ending(all.host.restartService('slow'));
    await clock.advance(50);
    all.host.shutdown();
    await clock.advance(50);
    expect(await done).toBe('hostx: restartService: service slow: the host stops');
    expect(await all.run).toBe('hostx: service slow: stop: no');
    expect(log).toEqual(['slow start', 'other start', 'slow abort', 'other stop', 'other abort']);
    expect(statusOf(all.host, 'slow').state).toBe('stopped');
    expect(clock.pending).toBe(0);
  });

  it('is given up by a shutdown that comes while it starts again', async () => {
    const log: string[] = [];
    let starts = 0;
    const slow = probeService('slow', log, {
      ready: () => (++starts > 1 ? never() : Promise.resolve()),
    });
    const clock = fakeClock();
    const all = await running([[slow]], clock);
    const done = ending(all.host.restartService('slow'));
    await clock.advance(10);
    expect(statusOf(all.host, 'slow').state).toBe('starting');
    all.host.shutdown();
    expect(await done).toBe('hostx: restartService: service slow: the host stops');
    expect(await all.run).toBe('nil');
    expect(log).toEqual([
      'slow start',
      'slow stop',
      'slow abort',
      'slow start',
      'slow stop',
      'slow abort',
    ]);
  });

  it.each<[string, RestartPolicy | undefined, string]>([
    ['stops the host without a restart policy', undefined, 'hostx: service s: no port'],
    ['is restarted by its policy', {}, 'nil'],
  ])('rejects if the service ends before it is ready; the service %s', async (_, restart, end) => {
    let starts = 0;
    const service: Service = {
      name: 's',
      start: (signal) =>
        ++starts === 2 ? Promise.reject(new Error('no port')) : untilAborted(signal),
    };
    const clock = fakeClock();
    const all = await running([[service, { restart }]], clock);
    expect(await ending(all.host.restartService('s'))).toBe('hostx: service s: no port');
    await clock.advance(2_000);
    expect(await stopped(all)).toBe(end);
    expect(starts).toBe(restart === undefined ? 2 : 3);
  });

  it('starts the service again although its stop failed, and does not fail the host', async () => {
    let stops = 0;
    const service = probeService('s', [], {
      stop: () => (++stops === 1 ? Promise.reject(new Error('no')) : Promise.resolve()),
    });
    const all = await running([[service]]);
    await all.host.restartService('s');
    expect(statusOf(all.host, 's')).toMatchObject({
      state: 'ready',
      lastError: { message: 'hostx: service s: stop: no' },
    });
    expect(await stopped(all)).toBe('nil');
  });

  it('starts the service outside of the context of who asks', async () => {
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const service = probeService('s', [], {
      start: (signal) => {
        contexts.push(request.getStore());
        return untilAborted(signal);
      },
      stop: () => void contexts.push(request.getStore()),
    });
    const all = await running([[service]]);
    await request.run('r-1', () => all.host.restartService('s'));
    expect(contexts).toEqual([undefined, undefined, undefined]);
    expect(await stopped(all)).toBe('nil');
  });
});
