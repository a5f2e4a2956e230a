import { systemClock } from '@apix/contracts';
import { expect, it } from '@jest/globals';
import { runChecks } from './run-checks.js';

it('a check whose name cannot be read has failed, and the others are reported as well', async () => {
  let reads = 0;
  const odd = {
    get name(): string {
      if (reads++ > 0) throw new Error('the name is gone');
      return 'odd';
    },
    affects: 'ready' as const,
    check: () => {},
  };
  const down = {
    name: 'disk',
    affects: 'ready' as const,
    check: () => Promise.reject(new Error('full')),
  };
  const well = { name: 'queue', affects: 'ready' as const, check: () => {} };
  const source = { healthChecks: () => [odd, down, well] };
  const failures = await runChecks([source], 60_000, systemClock);
  expect(failures).toContain('disk: full');
  expect(failures).toHaveLength(2);
  expect(failures.join()).toContain('the name is gone');
});
