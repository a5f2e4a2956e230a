import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fencesOf, type Fence } from './code-blocks.js';
import type { BlockRow, BlockTable } from './guide-blocks.js';
import { pagesForUsers } from './pages.js';

/** How a block of a page is known to be right. */
export interface Coverage {
  readonly fence: Fence;
  /** What is done with it; undefined for nothing, without a reason. */
  readonly how: 'compiled' | 'parsed' | 'compared' | 'drawn' | 'run' | 'left alone' | undefined;
  /** Who does it, or why nobody does. */
  readonly by: string;
}

const BLOCKS = 'tools/docs/code-blocks.spec.ts';
/** By what stands behind the backticks. */
const LANGUAGES: Readonly<Record<string, readonly [Coverage['how'], string]>> = {
  ts: ['compiled', BLOCKS],
  proto: ['compiled', BLOCKS],
  json: ['parsed', BLOCKS],
  yaml: ['parsed', BLOCKS],
  mermaid: ['drawn', 'site'],
};
/** Pages that a script follows from their first block to their last. */
const FOLLOWED: Readonly<Record<string, string>> = {
  'docs/getting-started.md': 'conformance:getting-started',
  'docs/guides/existing-app.md': 'conformance:existing-app',
};
const INSTALL = 'tools/docs/install-lines.spec.ts';
const RECIPES = 'tools/docs/recipes.spec.ts';

/**
 * Every block of the pages for users, with what is done with it.
 *
 * @param tables rows for blocks that no check of their language or page covers.
 */
export function blockCoverage(root: string, tables: readonly BlockTable[]): Coverage[] {
  return pagesForUsers(root).flatMap((page) => {
    const rows = tables.flatMap((table) => table[page] ?? []);
    const left = [...rows];
    return fencesOf(root, page).map((fence, index) => {
      const row = left.findIndex(({ begins }) => fence.code.trimStart().startsWith(begins));
      const [found] = row === -1 ? [] : left.splice(row, 1);
      return coverageOf(fence, index, found);
    });
  });
}

function coverageOf(fence: Fence, index: number, row: BlockRow | undefined): Coverage {
  const { page, info, code } = fence;
  const follower = FOLLOWED[page];
  if (follower !== undefined) return { fence, how: 'run', by: follower };
  if (/^\/\/ (?:[\w-]+)\.ts\n/.test(code) && page.startsWith('docs/recipes/')) {
    return { fence, how: 'run', by: RECIPES };
  }
  if (row !== undefined) {
    if (row.by === undefined) return { fence, how: 'left alone', by: row.cannot ?? '' };
    return { fence, how: row.only ?? 'run', by: row.by };
  }
  if (index === 0 && info === 'sh' && basename(page) === 'README.md' && page !== 'README.md') {
    return { fence, how: 'compared', by: INSTALL };
  }
  const [how, by] = LANGUAGES[info] ?? [undefined, ''];
  return { fence, how, by };
}

/** Rows that name no test or script, or one that lacks what they say shows it. */
export function strangeRows(root: string, table: BlockTable): string[] {
  return Object.entries(table).flatMap(([page, rows]) =>
    rows.flatMap(({ begins, by, shows = [], cannot }) => {
      if (by === undefined)
        return cannot === undefined ? [`${page}: ${begins}: has no reason`] : [];
      const file = join(root, by);
      if (!existsSync(file)) return [`${page}: ${begins}: there is no ${by}`];
      if (shows.length === 0) return [`${page}: ${begins}: does not say what shows it in ${by}`];
      const text = readFileSync(file, 'utf8');
      return shows
        .filter((one) => !text.includes(one))
        .map((one) => `${page}: ${begins}: ${by} has no ${one}`);
    }),
  );
}

/** Rows to which no block belongs any more. */
export function rowsWithoutBlock(root: string, table: BlockTable): string[] {
  return Object.entries(table).flatMap(([page, rows]) => {
    const fences = existsSync(join(root, page)) ? fencesOf(root, page) : [];
    return rows
      .filter(({ begins }) => !fences.some(({ code }) => code.trimStart().startsWith(begins)))
      .map(({ begins }) => `${page}: no block begins with ${begins}`);
  });
}
