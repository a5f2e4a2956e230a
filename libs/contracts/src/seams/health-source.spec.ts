import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from '../testing/unreadable-values.js';
import {
  healthChecksOf,
  type HealthCheck,
  type HealthSource,
  runHealthCheck,
} from './health-source.js';

class Worker implements HealthSource {
  constructor(readonly healthChecks: HealthSource['healthChecks']) {}
}

describe('healthChecksOf', () => {
  it('returns the checks of a source as they are', () => {
    const check: HealthCheck = { name: 'db', affects: 'live', check: () => {} };
    expect(healthChecksOf(new Worker(() => [check]))[0]).toBe(check);
  });

  it.each(unreadableValues())(
    'returns one failing check that affects readiness when the source throws %s',
    async (_, thrown) => {
      const found = healthChecksOf(
        new Worker(() => {
          throw thrown;
        }),
      );
      expect(found).toEqual([
        { name: 'Worker', affects: 'ready', check: expect.any(Function) as unknown },
      ]);
      const { signal } = new AbortController();
      const rejected = await Promise.resolve(found[0]!.check(signal)).catch((error: unknown) => ({
        isSame: Object.is(error, thrown),
      }));
      expect(rejected).toEqual({ isSame: true });
    },
  );

  it.each(unreadableValues())('never throws when a check is %s', (_, value) => {
    const [check] = healthChecksOf(new Worker(() => [value] as never));
    expect(check).toMatchObject({ name: 'Worker', affects: 'ready' });
  });

  it.each(unreadableValues())('never throws when the checks are %s', (_, value) => {
    const [check] = healthChecksOf(new Worker(() => value as never));
    expect(check).toMatchObject({ name: 'Worker', affects: 'ready' });
  });
});

const { signal } = new AbortController();

/** Runs a check that returns a value; the check's types are those of JavaScript. */
function answering(answer: unknown): Promise<void> {
  const check: unknown = () => answer;
  return runHealthCheck({ name: 'db', affects: 'ready', check } as HealthCheck, signal);
}

const whole = (status: string, db: string) => ({
  status,
  info: {},
  error: {},
  details: { db: { status: db } },
});

describe('a health check', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ['a promise of nothing', Promise.resolve()],
    ['a promise of true', Promise.resolve(true)],
    ['an indicator that is up', { db: { status: 'up', poolSize: 3 } }],
    ['an indicator that is degraded', { db: { status: 'degraded', message: 'slow' } }],
    ['the whole result of terminus', whole('ok', 'up')],
  ])('is well with %s', async (_, answer) => {
    expect(await answering(answer)).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ['false', false, 'the check returned false'],
    ['a promise of false', Promise.resolve(false), 'the check returned false'],
    ['an indicator that is down', { db: { status: 'down' } }, 'db is down'],
    ['its message', { db: { status: 'down', message: 'refused' } }, 'refused'],
    [
      'several that are down',
      { a: { status: 'down' }, b: { status: 'up' }, c: { status: 'down', message: 'full' } },
      'a is down; full',
    ],
    ['a status that is unknown', { db: { status: 'DOWN' } }, 'db has the unknown status "DOWN"'],
    ['a whole result with a key that is down', whole('ok', 'down'), 'db is down'],
    ['an error that is returned', new Error('refused'), 'refused'],
  ])('is not well with %s', async (_, answer, message) => {
    await expect(answering(answer)).rejects.toThrow(message);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'null'],
    ['0', 0, '0'],
    ['a text', 'down', '"down"'],
    ['rows', [], 'an array'],
    ['an object without a key', {}, 'an object'],
    ['a status without a key', { status: 'down' }, 'an object'],
    ['an indicator without a status', { db: {} }, 'an object'],
    ['an indicator next to another value', { db: { status: 'up' }, ms: 3 }, 'an object'],
    ['a response', new Response(null, { status: 500 }), 'an object'],
    ['a whole result that is not ok', whole('shutting_down', 'up'), 'an object'],
    ['a function', () => true, 'a function'],
  ])('is not well, and says what it may return, with %s', async (_, answer, shown) => {
    const message = 'must return nothing, true, false or a result of @nestjs/terminus, and throw';
    await expect(answering(answer)).rejects.toThrow(message);
    await expect(answering(answer)).rejects.toThrow(`this one returned ${shown}`);
  });

  it.each(unreadableValues().filter(([what]) => what !== 'undefined'))(
    'is not well with %s',
    async (_, answer) => {
      const rejected = await answering(answer).then(
        () => false,
        () => true,
      );
      expect(rejected).toBe(true);
    },
  );

  it('rejects with what the check threw', async () => {
    const check = (): never => {
      throw new RangeError('no pool');
    };
    await expect(runHealthCheck({ name: 'db', affects: 'live', check }, signal)).rejects.toThrow(
      RangeError,
    );
  });
});
