import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { step, watch } from '../chromium.js';

/** What is looked for, a page that has to be among the first five, and what that page says. */
const SEARCHES = [
  ['cors', /packages\/gateway.html#at-cors/, /CORS is the app/],
  ['drain', /packages\/(?:hostx|grpc)|guides\/kubernetes/, /drain/i],
  ['deny by default', /packages\/authz|sockets-and-graphql|policies/, /deny/i],
  ['rotation', /packages\/logx/, /rotat/i],
] as const;

/** The search finds what people look for, leads there, and asks no other server. */
export async function searchSteps(page: Page, origin: string, url: string): Promise<void> {
  const { elsewhere } = watch(page, origin);
  for (const [words, wanted, text] of SEARCHES) {
    await step(`the search for "${words}" leads to a page about it`, async () => {
      await page.goto(url, { waitUntil: 'networkidle' });
      const found = (await searchFor(page, words)).slice(0, 5);
      const link = found.find((one) => wanted.test(one));
      assert.ok(link !== undefined, found.join('\n'));
      await page.locator(`a.result[href="${link}"]`).click();
      await page.waitForURL((current) => current.href.endsWith(link));
      assert.match(await page.locator('main').innerText(), text);
    });
  }
  assert.deepEqual(elsewhere, []);
}

/** Types words into the search; the links that it shows, best first. */
async function searchFor(page: Page, words: string): Promise<readonly string[]> {
  await page.keyboard.press('Control+k');
  const box = page.locator('.VPLocalSearchBox');
  // It remembers what was looked for before.
  await box.locator('input').fill('');
  await box.locator('a.result').first().waitFor({ state: 'detached' });
  await box.locator('input').fill(words);
  await box.locator('a.result').first().waitFor();
  const links: string[] = [];
  for (const link of await box.locator('a.result').all()) {
    links.push((await link.getAttribute('href')) ?? '');
  }
  return links;
}
