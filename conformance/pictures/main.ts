import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ShopProcess, type StartOptions } from '../../apps/demo/tour/shop-process.js';
import { SCREENS, launchChromium, show, step } from '../chromium.js';
import { Postgres } from '../postgres-ticks/server.js';
import { killOneProcess } from './processes.js';
import { Scene } from './scene.js';

// Why: docs/decisions/0320
const FOLDER = 'docs/images';
/** As much of a page as a picture has, in pixels. */
const TALL = 2_000;
/** What the pages' address says, whatever port was free. */
const ADDRESS = 'localhost:3000';
/** Without the empty part of the window, in pixels. */
const CONTENT_HEIGHT =
  "Math.ceil((document.querySelector('main') ?? document.body).getBoundingClientRect().bottom + scrollY)";
/** Of a phone and of a desktop. */
const PICTURED = SCREENS.filter(({ width }) => width !== 768);

/** Runs a shop, with a page on which somebody of its office looks at it. */
async function withShop(
  options: StartOptions,
  act: (shop: ShopProcess, page: Page, said: { http: string; token: string }) => Promise<void>,
): Promise<void> {
  const settings = { ...options.settings, OFFICE_PASSWORD: 'scene' };
  const shop = await ShopProcess.start(process.cwd(), { ...options, settings });
  try {
    const [, http = ''] = await shop.said(/REST +(\S+)/);
    const [, token = ''] = await shop.said(/GRACE=(\S+)/);
    const browser = await launchChromium(`MAP ${ADDRESS} 127.0.0.1:${new URL(http).port}`);
    try {
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        httpCredentials: { username: 'office', password: 'scene' },
      });
      await act(shop, await context.newPage(), { http, token });
    } finally {
      await browser.close();
    }
  } finally {
    await shop.remove();
  }
}

async function take(page: Page, name: string): Promise<void> {
  for (const screen of PICTURED) {
    await show(page, screen);
    const path = `${FOLDER}/${name}-${screen.width}-${screen.colors}.png`;
    const height = Math.min(TALL, await page.evaluate<number>(CONTENT_HEIGHT));
    const clip = { x: 0, y: 0, width: screen.width, height };
    await page.screenshot({ path, fullPage: true, clip });
  }
}

await mkdir(FOLDER, { recursive: true });
// Those of the site are taken by conformance/site.
const before = (await readdir(FOLDER)).filter((name) => !name.startsWith('site-'));
for (const name of before) await rm(join(FOLDER, name));
await withShop({}, async (shop, page, said) => {
  for (const [name, act] of new Scene(page, ADDRESS, said).acts(shop)) {
    await step(name, act);
    await take(page, name);
  }
});
const database = await Postgres.create();
await database.start();
try {
  const options = { args: ['--processes', '3'], settings: { DATABASE_URL: database.url } };
  await withShop(options, async (_shop, page) => {
    await step('host-page-processes', () => killOneProcess(page, ADDRESS));
    await take(page, 'host-page-processes');
  });
} finally {
  await database.stop();
}
console.log(`the pictures are in ${FOLDER}`);
