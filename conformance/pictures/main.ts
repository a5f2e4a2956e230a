import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { SCREENS, launchChromium, show, step } from '../chromium.js';
import { Scene } from './scene.js';

// Why: docs/decisions/0320
const FOLDER = 'docs/images';
/** As much of a page as a picture has, in pixels. */
const TALL = 2_000;
/** What the pages' address says, whatever port was free. */
const ADDRESS = 'localhost:3000';

const shop = await ShopProcess.start(process.cwd(), { settings: { OFFICE_PASSWORD: 'scene' } });
try {
  const [, http = ''] = await shop.said(/REST +(\S+)/);
  const [, token = ''] = await shop.said(/GRACE=(\S+)/);
  const browser = await launchChromium(`MAP ${ADDRESS} 127.0.0.1:${new URL(http).port}`);
  try {
    await mkdir(FOLDER, { recursive: true });
    for (const name of await readdir(FOLDER)) await rm(join(FOLDER, name));
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      httpCredentials: { username: 'office', password: 'scene' },
    });
    const scene = new Scene(await context.newPage(), ADDRESS, { http, token });
    for (const [name, act] of scene.acts(shop)) {
      await step(name, act);
      for (const screen of SCREENS) {
        await show(scene.page, screen);
        const path = `${FOLDER}/${name}-${screen.width}-${screen.colors}.png`;
        const clip = { x: 0, y: 0, width: screen.width, height: TALL };
        await scene.page.screenshot({ path, fullPage: true, clip });
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await shop.remove();
}
console.log(`the pictures are in ${FOLDER}`);
