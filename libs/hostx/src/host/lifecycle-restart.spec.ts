import { describe, expect, it } from '@jest/globals';
import { fakeClock, type FakeClock, unreadableValues } from '@apix/contracts/testing';
import type { Service } from '../service.js';
import type { RestartPolicy } from '../supervision/restart-policy.js';
import { probeService } from '../testing/probe-service.js';
import { Recorder } from '../testing/recorder.js';
import { builderOf, ending, never } from './host.fixture.js';

describe('rule 6: a service that returns from start before shutdown stops the host', () => {
  it.each([
    ['without an error', () => {}, 'hostx: service b: ended before shutdown without an error'],
    ['with an error', () => Promise.reject(new Error('boom')), 'hostx: service b: boom'],
    [
      'by a throw',
      () => {
        throw new Error('boom');
      },
      'hostx: service b: boom',
    ],
    [
      'by a throw of no Error',
      () => {
        throw 'text';
      },
      'hostx: service b: text',
    ],
  ])('%s', async (_, start, message) => {
    const log: string[] = [];
    const recorder = new Recorder();
    const host = builderOf()
      .addService(probeService('a', log))
      .addService(probeService('b', log, { start }))
      .addService(probeService('c', log))
      .withObserver(recorder.observer)
      .build();
    expect(await ending(host.runContext())).toBe(message);
    expect(log).toEqual(['a start', 'b stop', 'a stop', 'a abort']);
    expect(recorder.has('serviceFailed', 'b')).toBe(true);
    expect(recorder.has('serviceRestarting')).toBe(false);
  });

  it.each<[string, RestartPolicy | undefined]>([
    ['none', undefined],
    ['one', {}],
  ])(
    'but not once the shutdown has begun, before its own turn (restart policy: %s)',
    async (_, restart) => {
      const clock = fakeClock();
      const recorder = new Recorder();
      const gone = new Promise<void>((resolve) => void clock.after(100, resolve));
      const host = builderOf(clock)
        .withObserver(recorder.observer)
        .addService({ name: 'upstream', start: () => gone }, { restart })
        .addService(probeService('slow', [], { stop: () => gone }))
        .build();
      const run = ending(host.runContext());
      expect(await host.started).toBe(true);
      host.shutdown();
      await clock.advance(100);
      expect(await run).toBe('nil');
      expect(recorder.has('serviceFailed')).toBe(false);
      expect(recorder.has('serviceRestarting')).toBe(false);
      expect(recorder.has('serviceStopped', 'upstream')).toBe(true);
    },
  );

  it('so does one whose ready rejects', async () => {
    const log: string[] = [];
    const host = builderOf()
      .addService(probeService('a', log, { ready: () => Promise.reject(new Error('no port')) }))
      .build();
    expect(await ending(host.runContext())).toBe('hostx: service a: not ready: no port');
    expect(log).toEqual(['a start', 'a abort', 'a stop']);
  });

  it('also where start does not end for it', async () => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .addService({ name: 'a', start: never, ready: () => Promise.reject(new Error('no port')) })
      .build();
    const run = ending(host.runContext());
    await clock.advance(0);
    expect(host.state.services[0]).toMatchObject({ state: 'stopping' });
    await clock.advance(30_000);
    expect(await run).toBe(
      'hostx: service a: not ready: no port; ' +
        'hostx: service a: did not stop within 30000 ms; abandoned',
    );
  });
});

/** A service that ends `after` ms into each run, with the clock it lives by. */
function dying(clock: FakeClock, after: number): Service {
  return {
    name: 'frail',
    start: () =>
      new Promise((_, reject) => {
        clock.after(after, () => reject(new Error('boom')));
      }),
  };
}

describe('rule 7: with a policy a premature return triggers a restart', () => {
  it('after 1s, 2s, 4s, 8s, 16s and so on up to 1m by default', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const host = builderOf(clock)
      .addService(dying(clock, 10), { restart: {} })
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await clock.advance(300_000);
    const delays = recorder.events
      .filter(({ kind }) => kind === 'serviceRestarting')
      .map(({ detail }) => detail['delayMs']);
    expect(delays.slice(0, 8)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('and the next service waits until it is ready after all', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    let runs = 0;
    const host = builderOf(clock)
      .addService(
        {
          name: 'late',
          start: (signal) => {
            runs += 1;
            if (runs < 3) throw new Error('boom');
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
          },
        },
        { restart: {} },
      )
      .addService(probeService('web', log))
      .build();
    const run = ending(host.runContext());
    await clock.advance(2_999);
    expect(log).toEqual([]);
    expect(host.state.services[0]).toMatchObject({ state: 'backoff', attempt: 2 });
    await clock.advance(1);
    expect(await host.started).toBe(true);
    expect(log).toEqual(['web start']);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('jitter only shortens a delay', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const host = builderOf(clock)
      .withRandom(() => 0.5)
      .addService(dying(clock, 0), { restart: { jitter: 0.2 } })
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await clock.advance(10);
    expect(
      recorder.events.find(({ kind }) => kind === 'serviceRestarting')?.detail['delayMs'],
    ).toBe(900);
    host.shutdown();
    expect(await run).toBe('nil');
  });
});

describe('rule 8: a stable run of resetAfter resets the attempt counter', () => {
  it.each([
    [59_999, 2],
    [60_001, 1],
  ])('after a run of %p ms the next attempt is number %p', async (length, attempt) => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const host = builderOf(clock)
      .addService(dying(clock, length), { restart: {} })
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await clock.advance(length + 1_000 + length + 1);
    const attempts = recorder.events
      .filter(({ kind }) => kind === 'serviceRestarting')
      .map(({ detail }) => detail['attempt']);
    expect(attempts).toEqual([1, attempt]);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('whatever the wall clock is set to meanwhile', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).addService(dying(clock, 100), { restart: {} }).build();
    const run = ending(host.runContext());
    await clock.advance(50);
    clock.jump(3_600_000);
    await clock.advance(100 + 1_000 + 100);
    expect(host.state.services[0]).toMatchObject({ attempt: 2, restarts: 2 });
    host.shutdown();
    expect(await run).toBe('nil');
  });
});

describe('rule 9: exhausting maxAttempts stops the host with an error naming the service', () => {
  it('after that many restarts', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const host = builderOf(clock)
      .addService(dying(clock, 0), { restart: { maxAttempts: 2 } })
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await clock.advance(10_000);
    expect(await run).toBe('hostx: service frail: gave up after 2 restarts: boom');
    expect(recorder.events.filter(({ kind }) => kind === 'serviceRestarting')).toHaveLength(2);
    expect(recorder.has('serviceFailed', 'frail')).toBe(true);
  });

  it('and so does the intensity limit, however stable the runs', async () => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .addService(dying(clock, 1_000), {
        restart: { initialDelay: 0, resetAfter: 0, intensity: { restarts: 3, per: '10s' } },
      })
      .build();
    const run = ending(host.runContext());
    await clock.advance(4_000);
    expect(await run).toMatch(/service frail: gave up, more than 3 restarts within 10s/);
  });
});

describe.each([
  ...unreadableValues().map(
    ([what, thrown]) =>
      [
        `throws ${what}`,
        (): never => {
          throw thrown;
        },
      ] as const,
  ),
  ...unreadableValues().map(([what, value]) => [`returns ${what}`, () => value] as const),
  ['returns a bigint', () => 1n] as const,
  ['returns NaN', () => Number.NaN] as const,
  ['returns infinity', () => Infinity] as const,
  ['returns a negative number', () => -5] as const,
  ['returns a rejected promise', () => Promise.reject(new Error('late'))] as const,
])('withRandom with a function that %s', (_, random) => {
  it('restarts a service after its whole delay', async () => {
    const clock = fakeClock();
    const starts: number[] = [];
    const flaky: Service = {
      name: 'flaky',
      start(signal) {
        starts.push(clock.now());
        if (starts.length === 1) throw new Error('boom');
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
      },
    };
    const host = builderOf(clock)
      .withRandom(random as () => number)
      .addService(flaky, { restart: { initialDelay: '10s', jitter: 0.5 } })
      .build();
    const run = host.runContext();
    await clock.advance(10_000);
    expect(starts).toEqual([0, 10_000]);
    host.shutdown();
    expect(await ending(run)).toBe('nil');
  });
});
