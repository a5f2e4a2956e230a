import { HEALTH_SOURCE, type HealthCheck, type HealthSource } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ServingState } from './serving-state.js';

let clock: FakeClock;
let check: HealthCheck['check'];
let runs: number;
let changes: (readonly string[])[];
let state: ServingState;

beforeEach(() => {
  clock = fakeClock();
  runs = 0;
  changes = [];
  check = () => {};
  const source: HealthSource = {
    [HEALTH_SOURCE]: true,
    healthChecks: () => [
      { name: 'other', affects: 'live', check: () => {} },
      { name: 'db', affects: 'ready', check: (signal) => (runs++, check(signal)) },
    ],
  };
  state = new ServingState({
    sources: () => [source],
    intervalMs: 5_000,
    clock,
    onChange: (failures) => changes.push(failures),
  });
});

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const broken = (): never => {
  throw new Error('no connection');
};

describe('those who watch the state', () => {
  it('are told it until they leave, and it is looked at for as long as one is there', async () => {
    const told: string[] = [];
    state.open();
    const [leaveOne, leaveOther] = ['one', 'other'].map((name) =>
      state.watch((isServing) => told.push(`${name} ${isServing}`)),
    );
    await clock.advance(0);
    expect(told.splice(0)).toEqual(['one true', 'other true']);
    check = broken;
    leaveOne!();
    await clock.advance(5_000);
    expect(told.splice(0)).toEqual(['other false']);
    leaveOther!();
    expect(clock.pending).toBe(0);
    state.close();
    expect(told).toEqual([]);
  });

  it('are told nothing where they have left before the first look', async () => {
    const told: boolean[] = [];
    state.open();
    state.watch((isServing) => told.push(isServing))();
    await clock.advance(0);
    expect([told, clock.pending]).toEqual([[], 0]);
  });
});

describe('the state', () => {
  it('is not serving before it is opened and after it is closed, and asks nobody', async () => {
    expect(await state.isServing()).toBe(false);
    state.open();
    state.close();
    expect(await state.isServing()).toBe(false);
    expect(runs).toBe(0);
  });

  it.each<[string, HealthCheck['check'], boolean, string]>([
    ['passes', () => {}, true, ''],
    ['passes later', () => Promise.resolve(), true, ''],
    ['throws', broken, false, 'db: no connection'],
    ['rejects', () => Promise.reject(new Error('gone')), false, 'db: gone'],
  ])('follows a check that %s', async (_, outcome, isServing, reported) => {
    check = outcome;
    state.open();
    expect(await state.isServing()).toBe(isServing);
    expect(changes.flat().join()).toBe(reported);
  });

  it('does not wait longer than 3 s for a check, and aborts it', async () => {
    let aborted = false;
    check = (signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    state.open();
    const isServing = state.isServing();
    await clock.advance(3_000);
    expect(await isServing).toBe(false);
    expect(changes).toEqual([['db: no answer within 3000 ms']]);
    expect(aborted).toBe(true);
  });

  it('counts a source that cannot name its checks as not well', async () => {
    class Confused implements HealthSource {
      readonly [HEALTH_SOURCE] = true as const;
      healthChecks = broken;
    }
    state = new ServingState({
      sources: () => [new Confused()],
      intervalMs: 5_000,
      clock,
      onChange: (failures) => changes.push(failures),
    });
    state.open();
    expect(await state.isServing()).toBe(false);
    expect(changes).toEqual([['Confused: no connection']]);
  });

  it('counts a source that promises its checks as not well, and lets no rejection go', async () => {
    const unhandled = jest.fn();
    process.once('unhandledRejection', unhandled);
    const source = { healthChecks: () => Promise.reject(new Error('late')) };
    state = new ServingState({
      sources: () => [source as never],
      intervalMs: 5_000,
      clock,
      onChange: (failures) => changes.push(failures),
    });
    state.open();
    expect(await state.isServing()).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(changes.flat()).toEqual([expect.stringMatching(/must return an array of checks/)]);
  });

  it.each<[string, () => unknown]>([
    ['a value without a prototype', () => Object.create(null)],
    ['a revoked proxy', revokedProxy],
    ['a symbol', () => Symbol('lost')],
    ['undefined', () => undefined],
    [
      'an object whose message cannot be read',
      () => ({
        get message() {
          throw new Error('secret');
        },
      }),
    ],
  ])('is not serving where a check throws %s, and serves again later', async (_, thrown) => {
    check = () => {
      throw thrown();
    };
    state.open();
    expect(await state.isServing()).toBe(false);
    expect(changes.flat()).toEqual([expect.stringMatching(/^db: ./)]);
    check = () => {};
    await clock.advance(1_000);
    expect(await state.isServing()).toBe(true);
  });

  it.each<[string, () => HealthSource]>([
    [
      'has no prototype and throws',
      () => Object.assign(Object.create(null), { healthChecks: broken }) as HealthSource,
    ],
    ['returns no list', () => ({ healthChecks: () => undefined as never })],
    ['returns a list with nothing in it', () => ({ healthChecks: () => [null as never] })],
    ['is a revoked proxy', () => revokedProxy() as HealthSource],
  ])('counts a source that %s as not well', async (_, sourceOf) => {
    state = new ServingState({
      sources: () => [sourceOf()],
      intervalMs: 5_000,
      clock,
      onChange: (failures) => changes.push(failures),
    });
    state.open();
    expect(await state.isServing()).toBe(false);
    expect(changes.flat()).toEqual([expect.stringMatching(/^health source|^Object: ./)]);
  });

  it('is looked at once for callers within a second', async () => {
    state.open();
    await Promise.all([state.isServing(), state.isServing()]);
    await clock.advance(999);
    await state.isServing();
    expect(runs).toBe(1);
    await clock.advance(1);
    await state.isServing();
    expect(runs).toBe(2);
  });

  it('is not serving when it is closed while a check runs', async () => {
    let pass = (): void => {};
    check = () => new Promise((resolve) => (pass = resolve));
    state.open();
    const isServing = state.isServing();
    state.close();
    pass();
    expect(await isServing).toBe(false);
  });

  it('reports that it is not well once, and that it is well again', async () => {
    check = broken;
    state.open();
    await state.isServing();
    await clock.advance(1_000);
    await state.isServing();
    check = () => {};
    await clock.advance(1_000);
    await state.isServing();
    expect(changes).toEqual([['db: no connection'], []]);
  });
});

describe('a watcher', () => {
  it('gets the state immediately, when it is opened and closed, and at each interval', async () => {
    const told: boolean[] = [];
    const stop = state.watch((isServing) => told.push(isServing));
    await clock.advance(0);
    state.open();
    await clock.advance(0);
    check = broken;
    await clock.advance(5_000);
    check = () => {};
    await clock.advance(5_000);
    state.close();
    expect(told).toEqual([false, true, false, true, false]);
    stop();
    expect(clock.pending).toBe(0);
  });

  it('shares the checks with others, and gets nothing after it has left', async () => {
    const told: string[] = [];
    state.open();
    const stopFirst = state.watch(() => told.push('first'));
    const stopSecond = state.watch(() => told.push('second'));
    await clock.advance(0);
    stopFirst();
    await clock.advance(5_000);
    expect(told).toEqual(['first', 'second', 'second']);
    expect(runs).toBe(2);
    stopSecond();
    expect(clock.pending).toBe(0);
  });
});
