import type { Browser } from 'playwright-core';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** The first page for `docs/images`. */
export async function takeScreenshots(browser: Browser, url: string): Promise<void> {
  for (const viewport of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
      await page.goto(url, { waitUntil: 'networkidle' });
      await page.screenshot({ path: `docs/images/site-${viewport.width}-${colorScheme}.png` });
      await page.close();
    }
  }
}
