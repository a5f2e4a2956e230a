import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { blockCoverage, rowsWithoutBlock, strangeRows } from './block-coverage.js';
import { blockTables, tableAt } from './block-tables.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the blocks of the pages for users', () => {
  it('are all compiled, run, compared or drawn, or left alone for a reason', () => {
    const uncovered = blockCoverage(root, blockTables(root)).filter(({ how }) => how === undefined);
    expect(uncovered.map(({ fence }) => `${fence.place}: nobody checks this block`)).toEqual([]);
  });

  it('are those that the table has', () => {
    expect(rowsWithoutBlock(root, tableAt(root))).toEqual([]);
  });

  it('are checked where the table says', () => {
    expect(strangeRows(root, tableAt(root))).toEqual([]);
  });
});

it('a block that nobody checks, and rows that say nothing, are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'apix-coverage-'));
  for (const name of ['docs', 'libs/a']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'libs/a/README.md'), '```sh\nnpm install a\n```\n');
  writeFileSync(
    join(folder, 'docs/a.md'),
    '```ts\nlet a;\n```\n\n```\nlines\n```\n\n- in a list:\n\n  ```sh undo\n  rm a\n  ```\n\n```text\nx\n```\n',
  );
  const table = {
    'docs/a.md': [
      { begins: 'x', by: 'a.spec.ts', shows: ['y'] },
      { begins: 'gone', cannot: 'a drawing' },
      { begins: 'z', by: 'b.spec.ts' },
    ],
  };
  writeFileSync(join(folder, 'a.spec.ts'), 'x');
  const found = blockCoverage(folder, [table]).map(({ fence, how }) => [fence.place, how]);
  expect(found).toEqual([
    ['docs/a.md:2', 'compiled'],
    ['docs/a.md:6', undefined],
    ['docs/a.md:12', undefined],
    ['docs/a.md:16', 'run'],
    ['libs/a/README.md:2', 'compared'],
  ]);
  expect(rowsWithoutBlock(folder, table)).toEqual([
    'docs/a.md: no block begins with gone',
    'docs/a.md: no block begins with z',
  ]);
  expect(strangeRows(folder, table)).toEqual([
    'docs/a.md: x: a.spec.ts has no y',
    'docs/a.md: z: there is no b.spec.ts',
  ]);
  rmSync(folder, { recursive: true });
});
