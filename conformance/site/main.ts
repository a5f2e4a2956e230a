import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../chromium.js';
import { lookAtPages, MISSING } from './looks.js';
import { takeScreenshots } from './screenshots.js';
import { searchSteps } from './search.js';
import { serveSites, type Site } from './static-server.js';
import { leadsToMarkdown, saysWhatItIs, tellsOfMissingPages } from './page-steps.js';
import { versionSteps } from './versions.js';

/** One of each kind of page, and those with the widest contents. */
const PAGES = [
  '',
  'getting-started.html',
  'architecture.html',
  'compared.html',
  'errors.html',
  'licence.html',
  'guides/',
  'guides/kubernetes.html',
  'recipes/',
  'recipes/rate-limit.html',
  'packages/logx.html',
  'api/',
  'api/authz/',
  'decisions/',
  MISSING,
];
/** For those who wait: a page of each layout. */
const QUICK_PAGES = ['', 'recipes/rate-limit.html', 'errors.html', 'api/authz/'];

const isQuick = process.argv.includes('--quick');
const site: Site = {
  folder: 'site/dist',
  base: isQuick ? baseOf('site/pages/site.json') : '/apix/',
};
const earlier: Site = { folder: 'coverage/site-v0.0.1', base: `${site.base}v0.0.1/` };
const server = await serveSites(isQuick ? [site] : [earlier, site]);
const url = server.origin + site.base;
const browser = await launchChromium();
try {
  await lookAtPages(browser, server.origin, url, isQuick ? QUICK_PAGES : PAGES);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await saysWhatItIs(page, url);
  await searchSteps(page, server.origin, url);
  await leadsToMarkdown(page, url);
  await tellsOfMissingPages(page, url);
  if (!isQuick) await versionSteps(page, url);
  if (process.argv.includes('--screenshots')) await takeScreenshots(browser, url);
} finally {
  await browser.close();
  server.close();
}

function baseOf(file: string): string {
  const { base } = JSON.parse(readFileSync(join(process.cwd(), file), 'utf8')) as {
    readonly base: string;
  };
  return base;
}
