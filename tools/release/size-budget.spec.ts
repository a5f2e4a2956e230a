import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SIZES_FILE, type SizeBudget, overBudget } from './size-budget.js';

const RECORDED = { packed: 1_000, unpacked: 4_000, files: 20 };
const REASON = 'The parser of the new language, which every entry needs.';

describe('the size of a package', () => {
  it.each([
    ['as recorded', RECORDED],
    ['smaller', { packed: 10, unpacked: 40, files: 2 }],
    ['5 % larger', { packed: 1_050, unpacked: 4_200, files: 21 }],
  ])('may be %s', (_, size) => {
    expect(overBudget({ a: size }, { a: RECORDED })).toEqual([]);
  });

  it.each([
    [{ packed: 1_051 }, 'a: 1051 bytes packed, the budget is 1000 bytes packed and 5 %'],
    [{ unpacked: 4_201 }, 'a: 4201 bytes unpacked, the budget is 4000 bytes unpacked and 5 %'],
    [{ files: 22 }, 'a: 22 files, the budget is 20 files and 5 %'],
  ])('is over the budget with %j', (more, line) => {
    expect(overBudget({ a: { ...RECORDED, ...more } }, { a: RECORDED })).toEqual([
      `${line}; make it smaller, or add an entry to "grown" of the package in ${SIZES_FILE}, with what it grew by and a reason`,
    ]);
  });

  it('may be what it has grown by with a reason', () => {
    const grown = [
      { packed: 500, reason: REASON },
      { files: 4, reason: REASON },
    ];
    const size = { packed: 1_500, unpacked: 4_000, files: 24 };
    expect(overBudget({ a: size }, { a: { ...RECORDED, grown } })).toEqual([]);
  });

  it('needs a record, a reason for growth, and a package', () => {
    const budget: SizeBudget = { b: { ...RECORDED, grown: [{ files: 1, reason: 'more' }] } };
    expect(overBudget({ a: RECORDED }, budget)).toEqual([
      expect.stringMatching(/^a: no size is recorded; run .* --record-sizes$/),
      expect.stringMatching(/^b: a growth in .* gives no reason of at least 20 characters$/),
      expect.stringMatching(/^b: .* has a size of it, but there is no such package$/),
    ]);
  });

  it('is recorded of every package', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const budget = JSON.parse(readFileSync(`${root}/${SIZES_FILE}`, 'utf8')) as SizeBudget;
    expect(Object.keys(budget).toSorted()).toEqual(
      readdirSync(`${root}/libs`)
        .map((folder) => `@apix/${folder}`)
        .toSorted(),
    );
  });
});
