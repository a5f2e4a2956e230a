import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Browser, type Page, chromium } from 'playwright-core';

/**
 * Starts Debian's Chromium.
 *
 * @param hosts rules of Chromium for what the names of hosts lead to. Default: none.
 */
export function launchChromium(hosts = ''): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      // Chromium's sandbox does not run as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(hosts === '' ? [] : [`--host-resolver-rules=${hosts}`]),
    ],
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

/** What a page is looked at on; the width is in pixels. */
export interface Screen {
  readonly width: number;
  readonly colors: 'light' | 'dark';
}

/** A phone, a tablet and a desktop, in light and dark colours. */
export const SCREENS: readonly Screen[] = (['light', 'dark'] as const).flatMap((colors) =>
  [390, 768, 1440].map((width) => ({ width, colors })),
);
const HEIGHT = 1000;
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Looks at a page as it is now on a phone, a tablet and a desktop, in light and dark colours: nothing is wider than the
 * window, no text is cut, and axe-core has nothing to say.
 *
 * @param state what the page shows, for the messages.
 */
export async function lookAround(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  await page.evaluate(AXE);
  for (const screen of SCREENS) {
    await show(page, screen);
    const where = `${state}, ${screen.width} pixels, ${screen.colors}`;
    assert.deepEqual(await page.evaluate(CUT), [], where);
    assert.deepEqual(await page.evaluate(COMPLAINTS), [], where);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  await page.evaluate(DRAWN);
}

/** Brings a page to a screen, and waits for it to be drawn anew. */
export async function show(page: Page, { width, colors }: Screen): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: colors });
  await page.evaluate(DRAWN);
}

/** Colours that pass over into others are settled, too. */
const DRAWN = `
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
  )
`;

const COMPLAINTS = `
  axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])),
  )
`;

/** What is wider than the window, and texts of which the end cannot be seen or scrolled to, those of drawings too. */
const CUT = `
  [...document.querySelectorAll('html, body *')].flatMap((element) => {
    if (element instanceof SVGTextElement) {
      const [text, drawing] = [element, element.ownerSVGElement].map((it) => it.getBoundingClientRect());
      const isInside = text.left >= drawing.left - 1 && text.right <= drawing.right + 1;
      return isInside ? [] : [element.outerHTML];
    }
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isWider = element.scrollWidth > element.clientWidth + 1;
    const isCut = isWider && (overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis');
    const isPage = element === document.documentElement && element.scrollWidth > innerWidth;
    const isText = element.checkVisibility() && !(element instanceof SVGElement) && element.clientWidth > 1;
    return isPage || (isCut && isText) ? [element.outerHTML.slice(0, 200)] : [];
  })
`;
