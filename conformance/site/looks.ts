import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { step, watch } from '../chromium.js';
import { readAxe, violationsOf } from './accessibility.js';
import { layoutFaults } from './layout-faults.js';

const WIDTHS = [390, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** There is no such page, so that the one is shown that says so, and Chromium reports its status. */
export const MISSING = 'no-such-page.html';

/**
 * Looks at pages on a phone, a tablet and a desktop, in both schemes: nothing is cut, wide or
 * inaccessible, and nothing is loaded from elsewhere.
 *
 * @param paths from `url`.
 */
export async function lookAtPages(
  browser: Browser,
  origin: string,
  url: string,
  paths: readonly string[],
): Promise<void> {
  const axe = readAxe();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  for (const path of paths) {
    const page = await context.newPage();
    const { elsewhere, complaints } = watch(page, origin);
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await step(`/${path} is whole and accessible at ${WIDTHS.join(', ')} px`, async () => {
      assert.deepEqual(await faultsOf(page, axe), []);
    });
    const failures = complaints.filter((text) => path !== MISSING || !text.includes('404'));
    assert.deepEqual({ elsewhere, failures }, { elsewhere: [], failures: [] }, path);
    await page.close();
  }
  await context.close();
}

async function faultsOf(page: Page, axe: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(`document.documentElement.clientWidth <= ${width}`);
      const found = [...(await layoutFaults(page)), ...(await violationsOf(page, axe))];
      faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
    }
  }
  return faults;
}
