import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from '../testing/unreadable-values.js';
import { healthChecksOf } from './health-checks-of.js';
import type { HealthCheck, HealthSource } from './health-source.js';

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
