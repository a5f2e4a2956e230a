import type { Page } from 'playwright-core';

/** Types words into the search of the site; the links that it shows, best first. */
export async function searchFor(page: Page, words: string): Promise<readonly string[]> {
  await page.keyboard.press('Control+k');
  const box = page.locator('.VPLocalSearchBox');
  await box.locator('input').fill(words);
  await box.locator('a.result').first().waitFor();
  const links: string[] = [];
  for (const link of await box.locator('a.result').all()) {
    links.push((await link.getAttribute('href')) ?? '');
  }
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  return links;
}
