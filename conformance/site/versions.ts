import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { step } from '../chromium.js';

const VERSIONS = [
  { name: '0.1.0 (unreleased)', path: '' },
  { name: '0.0.1', path: 'v0.0.1/' },
];

/** The menu of versions leads to an earlier site, and from there back. */
export async function versionSteps(page: Page, url: string): Promise<void> {
  await page.route(`${url}versions.json`, (route) => route.fulfill({ json: VERSIONS }));
  const menu = page.locator('.VPNavBar select.version');
  await step('the menu of versions leads to an earlier one', async () => {
    await page.goto(`${url}errors.html`, { waitUntil: 'networkidle' });
    assert.deepEqual(await menu.locator('option').allInnerTexts(), ['0.1.0 (unreleased)', '0.0.1']);
    await menu.selectOption('0.0.1');
    await page.waitForURL(`${url}v0.0.1/`);
  });
  await step('whose menu has the same versions, and leads back', async () => {
    await page.waitForLoadState('networkidle');
    assert.equal(await menu.inputValue(), 'v0.0.1/');
    await menu.selectOption('0.1.0 (unreleased)');
    await page.waitForURL(url);
  });
}
