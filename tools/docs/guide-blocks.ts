import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeBlocksOf } from './code-blocks.js';

/** Who runs a block of commands. Why: docs/decisions/0120 */
export interface BlockRow {
  /** What the block begins with. */
  readonly begins: string;
  /** The npm script that runs it … */
  readonly by?: string;
  /** … with texts that its files have for that. */
  readonly shows?: readonly string[];
  /** What is done with it where it is not run. */
  readonly only?: 'compared' | 'parsed';
  /** Why it is run nowhere. */
  readonly cannot?: string;
}

/** By page, in the order of its blocks. */
export type BlockTable = Readonly<Record<string, readonly BlockRow[]>>;

const COMMANDS: readonly string[] = ['sh', 'bash', 'console', 'powershell'];

/** The pages that tell their readers what to do, but those that a script of their own follows. */
export function followedPages(root: string): string[] {
  const guides = readdirSync(join(root, 'docs/guides')).filter((file) => file.endsWith('.md'));
  const pages = ['docs/getting-started.md', ...guides.map((file) => `docs/guides/${file}`)];
  return pages.filter((page) => !hasScriptOfItsOwn(root, page)).toSorted();
}

/** `conformance:getting-started` reads getting-started.md and runs all of it. */
function hasScriptOfItsOwn(root: string, page: string): boolean {
  const folder = join(root, 'conformance', basename(page, '.md'));
  return existsSync(join(folder, 'run.mjs')) && textOf(folder).includes(basename(page));
}

/** Blocks of commands that the table does not have, and rows without a block. */
export function unlistedBlocks(
  root: string,
  pages: readonly string[],
  table: BlockTable,
): string[] {
  const strange = Object.keys(table).filter((page) => !pages.includes(page));
  return [
    ...strange.map((page) => `${page} is listed, and there is no such page`),
    ...pages.flatMap((page) => {
      const rows = [...(table[page] ?? [])];
      const blocks = codeBlocksOf(root, page).filter(({ language }) => COMMANDS.includes(language));
      const unlisted = blocks.filter(({ code }) => {
        const index = rows.findIndex(({ begins }) => code.startsWith(begins));
        if (index !== -1) rows.splice(index, 1);
        return index === -1;
      });
      return [
        ...unlisted.map(({ place }) => `${place}: nobody runs these commands`),
        ...rows.map(({ begins }) => `${page}: no block begins with ${begins}`),
      ];
    }),
  ];
}

/** Rows whose script does not run what they say. */
export function emptyRows(root: string, table: BlockTable): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return Object.entries(table).flatMap(([page, rows]) =>
    rows.flatMap(({ begins, by = '', shows = [], cannot = '' }) => {
      if (by === '') return cannot === '' ? [`${page}: ${begins}: says neither by nor cannot`] : [];
      const file = scripts[by]?.split(' ')[1] ?? '';
      if (!existsSync(join(root, file)) || file === '')
        return [`${page}: there is no script ${by}`];
      const text = textOf(join(root, file, '..'));
      const missing = shows.filter((one) => !text.includes(one));
      if (shows.length === 0)
        return [`${page}: ${begins}: does not say what shows that ${by} runs it`];
      return missing.map((one) => `${page}: ${begins}: ${by} has no ${one}`);
    }),
  );
}

function textOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:mjs|ts|sh)$/.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
