import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, step, watch } from '../chromium.js';
import { readAxe, violationsOf } from './accessibility.js';
import { layoutFaults } from './layout-faults.js';
import { searchFor } from './search.js';
import { serveFolder } from './static-server.js';

const ROOT = process.cwd();
const SITE = join(ROOT, 'site/dist');
const { base } = JSON.parse(readFileSync(join(ROOT, 'site/pages/site.json'), 'utf8')) as {
  readonly base: string;
};
/** Where a person can look at what was looked at. */
const SHOTS = 'coverage/site';
const WIDTHS = [390, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;
/** One of each kind of page, and those with the widest contents. */
const PAGES = [
  '',
  'getting-started.html',
  'architecture.html',
  'errors.html',
  'guides/',
  'guides/kubernetes.html',
  'recipes/',
  'recipes/rate-limit.html',
  'packages/logx.html',
  'api/',
  'api/authz/',
  'decisions/',
];
/** What is looked for, and a page that has to be among the first five. */
const SEARCHES = [
  ['drain', /hostx|kubernetes|existing-app|grpc|architecture/],
  ['deny by default', /authz|sockets|policies|recipes/],
  ['rotation', /logx/],
] as const;

const server = await serveFolder(SITE, base);
const url = server.origin + base;
const browser = await launchChromium();
try {
  const axe = readAxe(ROOT);
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const { elsewhere, complaints } = watch(page, server.origin);
      await step(
        `at ${width} px, ${colorScheme}: nothing is cut, wide or inaccessible`,
        async () => {
          const faults: string[] = [];
          for (const path of PAGES) faults.push(...(await faultsOf(page, path, axe)));
          assert.deepEqual(faults, []);
        },
      );
      await step('and nothing is loaded from elsewhere or fails', () => {
        assert.deepEqual({ elsewhere, complaints }, { elsewhere: [], complaints: [] });
      });
      if (width === 1440) {
        await page.goto(url, { waitUntil: 'networkidle' });
        await page.screenshot({ path: `${SHOTS}/site-${colorScheme}.png` });
      }
      await context.close();
    }
  }
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const { elsewhere } = watch(page, server.origin);
  await page.goto(url, { waitUntil: 'networkidle' });
  for (const [words, wanted] of SEARCHES) {
    await step(`the search for "${words}" finds it`, async () => {
      const found = await searchFor(page, words);
      assert.ok(
        found.slice(0, 5).some((link) => wanted.test(link)),
        found.join('\n'),
      );
    });
  }
  await step('the search asks nobody else', () => assert.deepEqual(elsewhere, []));
  await step('each page leads to itself as Markdown', async () => {
    await page.goto(`${url}errors.html`, { waitUntil: 'networkidle' });
    await page.getByText('This page as Markdown').click();
    await page.waitForURL(`${url}errors.md`);
    assert.match(await page.locator('body').innerText(), /^# Errors/);
  });
} finally {
  await browser.close();
  server.close();
}

async function faultsOf(page: Page, path: string, axe: string): Promise<string[]> {
  await page.goto(url + path, { waitUntil: 'networkidle' });
  const faults = [...(await layoutFaults(page)), ...(await violationsOf(page, axe))];
  return faults.map((fault) => `/${path} ${fault}`);
}
