import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { type BlockTable, emptyRows, followedPages, unlistedBlocks } from './guide-blocks.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = JSON.parse(
  readFileSync(join(root, 'conformance/guides/blocks.json'), 'utf8'),
) as BlockTable;

it('every block of commands of a guide is run by a script', () => {
  expect(unlistedBlocks(root, followedPages(root), table)).toEqual([]);
});

it('the scripts run what the table says', () => {
  expect(emptyRows(root, table)).toEqual([]);
});

it('commands that nobody runs, and rows for nothing, are told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'apix-blocks-'));
  mkdirSync(join(folder, 'conformance'));
  writeFileSync(join(folder, 'page.md'), '```sh\nnpm ci\n```\n\n```console\n$ ls\na\n```\n');
  writeFileSync(join(folder, 'conformance/run.mjs'), 'ls()');
  const manifest = { scripts: { 'conformance:x': 'node conformance/run.mjs' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const wrong: BlockTable = {
    'page.md': [
      { begins: '$ ls', by: 'conformance:x', shows: ['ls()', 'dir()'] },
      { begins: 'npm start', by: 'conformance:y' },
      { begins: 'npm test' },
    ],
    'other.md': [],
  };
  expect(unlistedBlocks(folder, ['page.md'], wrong)).toEqual([
    'other.md is listed, and there is no such page',
    'page.md:2: nobody runs these commands',
    'page.md: no block begins with npm start',
    'page.md: no block begins with npm test',
  ]);
  expect(emptyRows(folder, wrong)).toEqual([
    'page.md: $ ls: conformance:x has no dir()',
    'page.md: there is no script conformance:y',
    'page.md: npm test: says neither by nor cannot',
  ]);
  rmSync(folder, { recursive: true });
});
