import assert from 'node:assert/strict';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

/** Starts Debian's Chromium. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Chromium's sandbox does not run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** What a page does that it should not. */
export interface Misdeeds {
  /** Requests to anybody but the origin. */
  readonly elsewhere: string[];
  /** Errors on the console: of scripts, of requests, and breaches of the content security policy. */
  readonly complaints: string[];
}

/** Watches a page from now on. */
export function watch(page: Page, origin: string): Misdeeds {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) elsewhere.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { elsewhere, complaints };
}

/** Runs a step; the first that fails ends the test. */
export async function step(what: string, run: () => unknown): Promise<void> {
  await run();
  console.log(`ok  ${what}`);
}

/** Of a phone, a tablet and a desktop, in pixels. */
const WIDTHS = [390, 768, 1440];
/** As much of a page as a picture has, in pixels. */
const TALL = 2000;
const AXE = 'node_modules/axe-core/axe.min.js';

/**
 * Looks at a page on a phone, a tablet and a desktop, in light and dark colours: nothing is wider than the window, no text
 * is cut, and axe-core has nothing to say. Its script could not run under the page's own policy, so that is off here.
 *
 * @param open brings a new page to where it is looked at.
 * @param shot where to put a picture, for each that there shall be one of.
 */
export async function lookAround(
  browser: Browser,
  options: BrowserContextOptions,
  open: (page: Page) => Promise<void>,
  shot: (width: number, colors: 'light' | 'dark') => string | undefined,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      const viewport = { width, height: 1000 };
      const context = await browser.newContext({
        ...options,
        colorScheme,
        viewport,
        bypassCSP: true,
      });
      const page = await context.newPage();
      await open(page);
      const path = shot(width, colorScheme);
      if (path !== undefined)
        await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: TALL } });
      const where = `${width} pixels, ${colorScheme}`;
      assert.deepEqual(await page.evaluate(CUT), [], where);
      await page.addScriptTag({ path: AXE });
      const complaints = await page.evaluate<readonly unknown[]>(
        'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])))',
      );
      assert.deepEqual(complaints, [], where);
      await context.close();
    }
  }
}

/** What is wider than the window, and texts of which the end cannot be seen or scrolled to. */
const CUT = `
  [...document.querySelectorAll('html, body *')].flatMap((element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isWider = element.scrollWidth > element.clientWidth + 1;
    const isCut = isWider && (overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis');
    const isPage = element === document.documentElement && element.scrollWidth > innerWidth;
    const isText = element.checkVisibility() && !(element instanceof SVGElement) && element.clientWidth > 1;
    return isPage || (isCut && isText) ? [element.outerHTML.slice(0, 200)] : [];
  })
`;
