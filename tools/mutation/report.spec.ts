import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { mutantsOf } from './mutants.js';
import { type Fate, Report, type Result, summaryOf } from './report.js';

const mutants = mutantsOf('libs/x/src/x.ts', 'const a = true, b = 5, c = !a, d = false;');
const FATES: readonly Fate[] = ['killed', 'survived', 'timeout', 'untested'];
const results = mutants.map((mutant, i): Result => ({
  ...mutant,
  fate: FATES[i]!,
  specs: [],
  seconds: 2,
}));

it('counts what hangs as killed, and names everything else', () => {
  expect(results).toHaveLength(4);
  const [, survivor, , untested] = results;
  expect(summaryOf(results)).toBe(
    [
      `survived ${survivor!.id} libs/x/src/x.ts:1 number: 5 -> (5 + 1)`,
      `untested ${untested!.id} libs/x/src/x.ts:1 flag: false -> true`,
      '2 of 4 killed, 50.0 %; 2.0 s for each',
    ].join('\n'),
  );
  expect(summaryOf([])).toBe('0 of 0 killed, 0.0 %; 0.0 s for each');
});

it('keeps results for the next run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-report-'));
  const file = join(folder, 'deep/report.json');
  new Report(file).add(results[1]!);
  const next = new Report(file);
  expect([next.of(mutants[0]!), next.of(mutants[1]!)]).toEqual([undefined, results[1]]);
  rmSync(folder, { recursive: true });
});
