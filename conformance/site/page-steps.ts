import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { step } from '../chromium.js';

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** The first screen says what it is and why, shows a picture, and leads to the comparison and the licence. */
export async function saysWhatItIs(page: Page, url: string): Promise<void> {
  for (const screen of SCREENS) {
    await step(`the first screen of ${screen.width} px says what it is and shows it`, async () => {
      await page.setViewportSize(screen);
      await page.goto(url, { waitUntil: 'networkidle' });
      for (const part of ['h1', '.tagline', '.why', '.hero-picture img:visible']) {
        const box = await page.locator(`.VPHero ${part}`).boundingBox();
        assert.ok(box !== null && box.height > 0 && box.y + 100 < screen.height, part);
      }
      for (const [link, path] of [
        ['Comparison', 'compared.html'],
        ['Apache License 2.0', 'licence.html'],
      ] as const) {
        await page.locator('.VPHero').getByText(link).click();
        await page.waitForURL(url + path);
        await page.goto(url, { waitUntil: 'networkidle' });
      }
    });
  }
  await step('the icon is a file of the site', async () => {
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    const answer = await fetch(new URL(icon ?? '', url));
    assert.match(await answer.text(), /<svg/);
  });
}

/** A page leads to its Markdown, and `llms.txt` to the Markdown of pages. */
export async function leadsToMarkdown(page: Page, url: string): Promise<void> {
  await step('a page leads to itself as Markdown', async () => {
    await page.goto(`${url}errors.html`, { waitUntil: 'networkidle' });
    await page.getByText('This page as Markdown').click();
    await page.waitForURL(`${url}errors.md`);
    assert.match(await page.locator('body').innerText(), /^# Errors/);
  });
  await step('llms.txt leads to Markdown', async () => {
    const { origin } = new URL(url);
    const index = await (await fetch(`${url}llms.txt`)).text();
    const links = [...index.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link]) => link!);
    assert.ok(links.length > 50);
    for (const link of links) {
      const answer = await fetch(origin + link);
      assert.equal(answer.status, 200, link);
      assert.match(await answer.text(), /^# /m, link);
    }
  });
}

/** An address without a page has the page of the site that says so. */
export async function tellsOfMissingPages(page: Page, url: string): Promise<void> {
  await step('an address without a page leads to the first one', async () => {
    const answer = await page.goto(`${url}guides/no-such-page.html`, { waitUntil: 'networkidle' });
    assert.equal(answer?.status(), 404);
    assert.match(await page.locator('h1').innerText(), /page not found/i);
    await page.getByText('To the first page').click();
    await page.waitForURL(url);
  });
}
