import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type RestartPolicy, resolveRestartPolicy, restartDelay } from './restart-policy.js';

function mistakesOf(policy: RestartPolicy): string[] {
  const mistakes: string[] = [];
  resolveRestartPolicy(policy, mistakes);
  return mistakes;
}

describe('a restart policy', () => {
  it('has the defaults of the spec', () => {
    expect(resolveRestartPolicy({}, [])).toEqual({
      maxAttempts: 0,
      initialDelayMs: 1_000,
      maxDelayMs: 60_000,
      factor: 2,
      resetAfterMs: 60_000,
      jitter: 0,
      intensity: null,
    });
  });

  it.each<[RestartPolicy, string]>([
    [{ maxAttempts: -1 }, 'maxAttempts: -1 is no number of restarts'],
    [{ maxAttempts: 1.5 }, 'maxAttempts: 1.5 is no number of restarts'],
    [{ initialDelay: -1 }, 'initialDelay: -1 is no duration'],
    [{ maxDelay: '-1s' }, 'maxDelay: "-1s" is no duration'],
    [{ resetAfter: -1 }, 'resetAfter: -1 is no duration'],
    [{ factor: 0.9 }, 'factor: 0.9 is below 1'],
    [{ factor: Number.NaN }, 'factor: NaN is below 1'],
    [{ initialDelay: '2m' }, 'maxDelay: 60000 ms is below initialDelay, 120000 ms'],
    [{ jitter: 1.1 }, 'jitter: 1.1 is not between 0 and 1'],
    [{ intensity: { restarts: 0, per: '1m' } }, 'intensity.restarts: 0 is no positive'],
    [{ intensity: { restarts: 3, per: 0 } }, 'intensity.per: must be longer than nothing'],
    [{ intensity: { restarts: 3, per: 'x' } }, 'intensity.per: "x" is no duration'],
  ])('%j is refused', (policy, mistake) => {
    const [first, ...more] = mistakesOf(policy);
    expect(first).toContain(mistake);
    expect(more).toEqual([]);
  });

  it('has all its mistakes told at once', () => {
    expect(mistakesOf({ maxAttempts: -1, factor: 0, jitter: 2 })).toHaveLength(3);
  });

  it('never waits longer than maxDelay, and without jitter never less than the time before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 1, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (initialDelay, span, factor, jitter) => {
          const maxDelay = initialDelay + span;
          const given = { initialDelay, maxDelay, factor };
          const steady = resolveRestartPolicy(given, []);
          const jittery = resolveRestartPolicy({ ...given, jitter }, []);
          let before = 0;
          for (let attempt = 1; attempt < 2_000; attempt *= 2) {
            const delay = restartDelay(steady, attempt, 0.99);
            expect(delay).toBeGreaterThanOrEqual(before);
            expect(delay).toBeLessThanOrEqual(maxDelay);
            expect(restartDelay(jittery, attempt, 0.99)).toBeLessThanOrEqual(delay);
            expect(restartDelay(jittery, attempt, 0.99)).toBeGreaterThanOrEqual(0);
            before = delay;
          }
        },
      ),
    );
  });
});
