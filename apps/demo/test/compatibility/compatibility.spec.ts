import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Platform, type StockApp, openStockApp } from './app.fixture.js';
import { TRIED } from './rows.fixture.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const page = readFileSync(join(root, 'docs/compatibility.md'), 'utf8');

/** The cells of the table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const FEATURES = tableBelow('In an app');
const ELSEWHERE = tableBelow('Around an app');

describe.each<Platform>(['Express', 'Fastify'])('on %s', (platform) => {
  let stock: StockApp;
  beforeAll(async () => {
    stock = await openStockApp(platform);
  });
  afterAll(() => stock.app.close());

  const column = platform === 'Express' ? 1 : 2;
  const rows = FEATURES.filter((row) => row[column] === 'yes').map(([what]) => what!);
  it.each(rows)('%s works as without us', async (what) => {
    expect(Object.keys(TRIED)).toContain(what);
    await TRIED[what]!(stock);
  });
});

it('the page has a row for all that is tried', () => {
  expect(FEATURES.map(([what]) => what)).toEqual(Object.keys(TRIED));
});

it('a cell says yes, or why not', () => {
  const cells = FEATURES.flatMap(([, express, fastify]) => [express!, fastify!]);
  expect(cells.filter((cell) => !/^yes$|^no: ./.test(cell))).toEqual([]);
});

it.each(ELSEWHERE)('%s is tried by what the row names', (_what, _how, where = '') => {
  const [, file = '', text = ''] = /^\[[^\]]+\]\(\.\.\/([^)]+)\): `([^`]+)`$/.exec(where) ?? [];
  expect(existsSync(join(root, file))).toBe(true);
  expect(readFileSync(join(root, file), 'utf8')).toContain(text);
});

it('both tables have rows', () => {
  expect([FEATURES.length > 10, ELSEWHERE.length > 5]).toEqual([true, true]);
});
