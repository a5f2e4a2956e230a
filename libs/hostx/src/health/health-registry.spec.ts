import { describe, expect, it } from '@jest/globals';
import { HEALTH_SOURCE, type HealthSource } from '@apix/contracts';
import { type FakeClock, fakeClock, unreadableValues } from '@apix/contracts/testing';
import { checkerFunc, indicatorChecker } from './checker.js';
import { HealthRegistry, type HealthRegistryOptions } from './health-registry.js';

const fine = () => {};
const broken = () => {
  throw new Error('connection refused');
};
const hang = () => new Promise<void>(() => {});

/** A registry that is ready, unless its test says otherwise. */
function readyRegistry(options: HealthRegistryOptions): HealthRegistry {
  const registry = new HealthRegistry(options);
  registry.setReady(true);
  return registry;
}

/** What a promise resolved with, without waiting for it. */
async function soon<T>(promise: Promise<T>, clock: FakeClock): Promise<T | 'pending'> {
  await clock.advance(0);
  return Promise.race([promise, Promise.resolve('pending' as const)]);
}

describe('the health registry', () => {
  it('starts not ready, alive and not started', async () => {
    const registry = new HealthRegistry();
    expect(registry.isReady).toBe(false);
    expect(await registry.live()).toEqual({ status: 'ok', checks: {} });
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { ready: 'not ready' },
    });
    expect((await registry.startup()).status).toBe('unhealthy');
  });

  it('is ready when the flag is set and every check passes', async () => {
    const registry = readyRegistry({ checks: [checkerFunc('db', fine)] });
    expect(await registry.ready()).toEqual({ status: 'ok', checks: { db: 'ok' } });
    registry.setReady(false);
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { ready: 'not ready', db: 'ok' },
    });
  });

  it('calls back with each readiness probe while the readiness is on, until that is ended', async () => {
    let stop = (): void => {};
    const registry = readyRegistry({
      checks: [checkerFunc('db', broken), checkerFunc('queue', () => stop())],
    });
    const seen: string[] = [];
    const end = registry.watchReady(({ status }) => seen.push(status));
    await registry.ready();
    await registry.live();
    expect(seen).toEqual(['unhealthy']);
    stop = () => registry.setReady(false);
    await registry.ready();
    await registry.ready();
    expect(seen).toHaveLength(1);
    registry.setReady(true);
    end();
    await registry.ready();
    expect(seen).toHaveLength(1);
  });

  it('has started for good once it was ready', async () => {
    const registry = readyRegistry({});
    registry.setReady(false);
    expect(await registry.startup()).toEqual({ status: 'ok', checks: { startup: 'ok' } });
  });

  it.each([
    ['live', 'unhealthy', 'unhealthy'],
    ['ready', 'ok', 'unhealthy'],
  ] as const)('has a failing check that affects %s make live %s', async (affects, live, ready) => {
    const registry = readyRegistry({ checks: [checkerFunc('db', broken, { affects })] });
    expect((await registry.live()).status).toBe(live);
    expect(await registry.ready()).toEqual({
      status: ready,
      checks: { db: 'connection refused' },
    });
  });

  it('counts a check for both endpoints unless told otherwise', async () => {
    const registry = readyRegistry({ checks: [checkerFunc('db', broken)] });
    expect((await registry.live()).checks).toEqual({ db: 'connection refused' });
  });

  it('runs checks at the same time', async () => {
    const begun: string[] = [];
    const clock = fakeClock();
    const checks = ['a', 'b', 'c'].map((name) =>
      checkerFunc(name, (signal) => {
        begun.push(name);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('never')));
        });
      }),
    );
    const report = readyRegistry({ checks, clock, timeout: 100 }).ready();
    await clock.advance(0);
    expect(begun).toEqual(['a', 'b', 'c']);
    await clock.advance(100);
    expect((await report).status).toBe('unhealthy');
  });

  it('answers within the timeout although a check hangs, and aborts its signal', async () => {
    const clock = fakeClock();
    const signals: AbortSignal[] = [];
    const stuck = checkerFunc('stuck', (signal) => {
      signals.push(signal);
      return hang();
    });
    const registry = readyRegistry({ checks: [stuck, checkerFunc('db', fine)], clock });
    const report = registry.ready();
    await clock.advance(2_999);
    expect(await soon(report, clock)).toBe('pending');
    await clock.advance(1);
    expect(await soon(report, clock)).toEqual({
      status: 'unhealthy',
      checks: { stuck: 'no answer within 3000 ms', db: 'ok' },
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  it('runs a check again after one run of it hung', async () => {
    const clock = fakeClock();
    let calls = 0;
    const check = checkerFunc('db', () => (++calls === 1 ? hang() : undefined), { timeout: 10 });
    const registry = readyRegistry({ checks: [check], clock });
    const first = registry.ready();
    await clock.advance(10);
    expect((await first).status).toBe('unhealthy');
    expect((await registry.ready()).status).toBe('ok');
  });

  it('shares one run among probes at the same time, of both endpoints', async () => {
    let calls = 0;
    let finish = (): void => {};
    const check = checkerFunc('db', () => {
      calls++;
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const registry = readyRegistry({ checks: [check] });
    const reports = [registry.ready(), registry.live(), registry.ready()];
    finish();
    expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(calls).toBe(1);
    const next = registry.ready();
    finish();
    await next;
    expect(calls).toBe(2);
  });

  it('keeps an outcome, good or bad, for as long as the cache says', async () => {
    const clock = fakeClock();
    let calls = 0;
    const check = checkerFunc('db', () => {
      if (++calls % 2 === 1) throw new Error(`failure ${calls}`);
    });
    const registry = readyRegistry({ checks: [check], clock, cache: '10s' });
    const text = async () => (await registry.ready()).checks['db'];
    expect(await text()).toBe('failure 1');
    await clock.advance(9_999);
    expect(await text()).toBe('failure 1');
    await clock.advance(1);
    expect(await text()).toBe('ok');
    clock.jump(-3_600_000);
    expect(await text()).toBe('failure 3');
  });

  it('lets a check have a timeout and a cache of its own', async () => {
    const clock = fakeClock();
    let calls = 0;
    const checks = [
      checkerFunc('stuck', hang, { timeout: 50 }),
      checkerFunc('dear', () => void calls++, { cache: '1m' }),
    ];
    const registry = readyRegistry({ checks, clock });
    for (const _ of [1, 2]) {
      const report = registry.ready();
      await clock.advance(50);
      expect((await report).checks['stuck']).toBe('no answer within 50 ms');
    }
    expect(calls).toBe(1);
  });

  it('asks its sources at each probe, and takes one that throws for unready, not for dead', async () => {
    const names = ['outbox'];
    const source: HealthSource = {
      [HEALTH_SOURCE]: true,
      healthChecks: () => names.map((name) => ({ name, affects: 'live', check: fine })),
    };
    const wild: HealthSource = {
      [HEALTH_SOURCE]: true,
      healthChecks: () => {
        throw new Error('wild');
      },
    };
    const registry = readyRegistry({}).addSource(source);
    expect((await registry.live()).checks).toEqual({ outbox: 'ok' });
    names.push('inbox');
    expect((await registry.live()).checks).toEqual({ outbox: 'ok', inbox: 'ok' });
    registry.addSource(wild);
    expect((await registry.live()).status).toBe('ok');
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { outbox: 'ok', inbox: 'ok', 'health source': 'wild' },
    });
  });

  it('tells the failure where two sources use one name', async () => {
    const source = (check: () => void): HealthSource => ({
      [HEALTH_SOURCE]: true,
      healthChecks: () => [
        { name: 'db', affects: 'live', check },
        { name: 'db', affects: 'live', check: fine },
      ],
    });
    const registry = readyRegistry({}).addSource(source(broken)).addSource(source(fine));
    expect(await registry.live()).toEqual({
      status: 'unhealthy',
      checks: { db: 'connection refused' },
    });
  });

  it('offers its own checks to other readers of health', () => {
    const registry = readyRegistry({ checks: [checkerFunc('db', fine)] });
    registry.addSource({ [HEALTH_SOURCE]: true, healthChecks: () => [checkerFunc('x', fine)] });
    expect(registry.healthChecks().map(({ name }) => name)).toEqual(['db']);
  });

  it('is unhealthy when the checks cannot be run at all', async () => {
    const registry = readyRegistry({});
    registry.runWith(() => Promise.reject(new Error('no runner')));
    expect(await registry.live()).toEqual({
      status: 'unhealthy',
      checks: { health: 'no runner' },
    });
  });

  it.each<[string, () => unknown, string]>([
    [
      'a name given twice',
      () => new HealthRegistry({ checks: [checkerFunc('db', fine), checkerFunc('db', fine)] }),
      'hostx: health: check db: another check has this name; choose another one',
    ],
    [
      'no name',
      () => new HealthRegistry().add(checkerFunc('', fine)),
      'hostx: health: check: name: must be a non-empty string, not ""',
    ],
    [
      'a timeout of nothing',
      () => new HealthRegistry({ timeout: 0 }),
      'hostx: health: timeout: must be greater than 0, not 0',
    ],
    [
      "a check's cache that is not a duration",
      () => new HealthRegistry().add(checkerFunc('db', fine, { cache: 'soon' })),
      'hostx: health: check db: cache: "soon" is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"',
    ],
    [
      'a path without a slash',
      () => new HealthRegistry().handler({ livePath: 'livez' }),
      'hostx: health: livePath: "livez" is not a path: it must start with "/"',
    ],
    [
      'a path given twice',
      () => new HealthRegistry().handler({ livePath: '/x', readyPath: '/x' }),
      'hostx: health: readyPath: must differ from livePath, "/x"',
    ],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe.each(unreadableValues())('a check that throws %s', (_, thrown) => {
  it('is unhealthy, in words, and takes nothing from the other checks', async () => {
    const failing = checkerFunc('db', () => Promise.reject(thrown));
    const registry = readyRegistry({ checks: [failing, checkerFunc('disk', fine)] });
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { db: expect.stringMatching(/./), disk: 'ok' },
    });
  });

  it('is not ready when it is the source itself', async () => {
    class Worker implements HealthSource {
      healthChecks(): never {
        throw thrown as Error;
      }
    }
    const registry = readyRegistry({ checks: [checkerFunc('disk', fine)] });
    registry.addSource(new Worker());
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { Worker: expect.stringMatching(/./), disk: 'ok' },
    });
    expect((await registry.live()).status).toBe('ok');
  });
});

describe('a source whose healthChecks()', () => {
  it.each<[string, () => unknown, string]>([
    ['rejects', () => Promise.reject(new Error('no pool')), 'must return an array of checks'],
    ['returns a promise', () => Promise.resolve([]), 'must return an array of checks'],
    ['returns nothing', () => undefined, 'must return an array of checks, not undefined'],
    ['returns a check that is null', () => [null], 'null'],
    [
      'returns a check that cannot be read',
      () => [new Proxy({}, { get: () => JSON.parse('{') as unknown })],
      'JSON',
    ],
    [
      'returns a check without a function',
      () => [{ name: 'db', affects: 'live' }],
      'check: must be a function, not undefined',
    ],
    [
      'returns a check that affects nothing known',
      () => [{ name: 'db', affects: 'all', check: fine }],
      'affects: must be one of "live", "ready", not "all"',
    ],
  ])('%s is not ready, and not dead', async (_, healthChecks, text) => {
    class Worker {
      readonly healthChecks = healthChecks as HealthSource['healthChecks'];
    }
    const registry = readyRegistry({ checks: [checkerFunc('disk', fine)] });
    registry.addSource(new Worker());
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { Worker: expect.stringContaining(text), disk: 'ok' },
    });
    expect(await registry.live()).toEqual({ status: 'ok', checks: { disk: 'ok' } });
  });

  it('throws is not ready although the source has no class', async () => {
    const source = Object.assign(Object.create(null) as object, {
      healthChecks: (): never => {
        throw new Error('wild');
      },
    });
    const registry = readyRegistry({}).addSource(source);
    expect(await registry.ready()).toEqual({
      status: 'unhealthy',
      checks: { 'health source': 'wild' },
    });
    expect((await registry.live()).status).toBe('ok');
  });
});

describe('an indicator of terminus as a checker', () => {
  it.each([
    ['up', { db: { status: 'up' } }, 'ok'],
    ['degraded', { db: { status: 'degraded', message: 'slow' } }, 'ok'],
    ['down with a message', { db: { status: 'down', message: 'timeout' } }, 'timeout'],
    ['down without', { a: { status: 'up' }, b: { status: 'down' } }, 'b is down'],
  ])('that is %s', async (_, result, text) => {
    const registry = readyRegistry({ checks: [indicatorChecker('db', () => result)] });
    expect((await registry.live()).checks).toEqual({ db: text });
  });

  it('that throws', async () => {
    const registry = readyRegistry({ checks: [indicatorChecker('db', broken)] });
    expect((await registry.live()).checks).toEqual({ db: 'connection refused' });
  });
});
