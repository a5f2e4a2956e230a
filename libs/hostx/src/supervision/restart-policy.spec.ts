import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Mistakes } from '@apix/contracts';
import {
  RESTART,
  type ResolvedRestartPolicy,
  type RestartPolicy,
  restartDelay,
} from './restart-policy.js';

function mistakesOf(policy: RestartPolicy): string[] {
  const mistakes = new Mistakes();
  RESTART.read(policy, '', mistakes);
  return [...mistakes.found];
}

function resolved(policy: RestartPolicy): ResolvedRestartPolicy {
  return RESTART.read(policy, '', new Mistakes())!;
}

describe('a restart policy', () => {
  it('has the defaults of the spec', () => {
    expect(resolved({})).toEqual({
      maxAttempts: 0,
      initialDelay: 1_000,
      maxDelay: 60_000,
      factor: 2,
      resetAfter: 60_000,
      jitter: 0,
    });
  });

  it.each<[RestartPolicy, string]>([
    [{ maxAttempts: -1 }, 'maxAttempts: must be an integer of at least 0, not -1'],
    [{ maxAttempts: 1.5 }, 'maxAttempts: must be an integer of at least 0, not 1.5'],
    [{ initialDelay: -1 }, 'initialDelay: -1 is not a valid duration'],
    [{ maxDelay: '-1s' }, 'maxDelay: "-1s" is not a valid duration'],
    [{ resetAfter: -1 }, 'resetAfter: -1 is not a valid duration'],
    [{ factor: 0.9 }, 'factor: must be a number of at least 1, not 0.9'],
    [{ factor: Number.NaN }, 'factor: must be a number of at least 1, not NaN'],
    [{ initialDelay: '2m' }, 'maxDelay: must be at least 2m, not "1m"'],
    [{ maxRetries: 3 } as RestartPolicy, 'maxRetries: is not known here; use one of maxAttempts,'],
    [
      { initialdelay: 0 } as RestartPolicy,
      'initialdelay: is not known here; did you mean initialDelay?',
    ],
    [
      { intensity: { restarts: 3, per: '1m', within: '1m' } } as RestartPolicy,
      'intensity.within: is not known here',
    ],
    [{ jitter: 1.1 }, 'jitter: must be a number from 0 to 1, not 1.1'],
    [
      { intensity: { restarts: 0, per: '1m' } },
      'intensity.restarts: must be an integer of at least 1, not 0',
    ],
    [{ intensity: { restarts: 3, per: 0 } }, 'intensity.per: must be greater than 0, not 0'],
    [{ intensity: { restarts: 3, per: 'x' } }, 'intensity.per: "x" is not a valid duration'],
  ])('%j is refused', (policy, mistake) => {
    const [first, ...more] = mistakesOf(policy);
    expect(first).toContain(mistake);
    expect(more).toEqual([]);
  });

  it('has all its mistakes reported at once', () => {
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
          const steady = resolved(given);
          const jittery = resolved({ ...given, jitter });
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
