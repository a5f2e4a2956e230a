import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { lookAround, step, watch } from '../chromium.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The docs of the demo: every method is tried as the page offers it, and the page is looked at on every screen. */
export async function testShop(browser: Browser, shots: string): Promise<void> {
  const shop = await ShopProcess.start(process.cwd());
  try {
    const [, http = ''] = await shop.said(/REST +(\S+)/);
    const [, token = ''] = await shop.said(/GRACE=(\S+)/);
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const { elsewhere } = watch(page, http);
    await open(page, http);
    await authorize(page, token);
    const ids = await page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id));
    assert.ok(ids.length >= 15, `${ids.length} methods`);
    for (const id of ids) {
      await step(`"Try it out" and "Execute" on ${id.replace(/.*-/, '')}`, () => tryOut(page, id));
    }
    assert.deepEqual(elsewhere, []);
    await page.close();
    await step('the docs are whole and readable on every screen', () =>
      lookAround(
        browser,
        {},
        async (page) => {
          await open(page, http);
          await authorize(page, token);
          const operation = page.locator(byId('operations-Orders-Orders_Create'));
          await execute(operation);
          await operation.locator('.live-responses-table .response').waitFor();
        },
        (width, colors) =>
          `${width === 768 ? 'coverage/browser' : shots}/docs-page-${width}-${colors}.png`,
      ),
    );
  } finally {
    await shop.remove();
  }
}

async function open(page: Page, http: string): Promise<void> {
  await page.goto(`${http}/docs`);
  await page.waitForSelector('.opblock');
  assert.equal(await page.getByRole('button', { name: 'Explore' }).count(), 0);
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.getByText('A small shop').waitFor();
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.click('.auth-wrapper .btn.authorize');
  await page.fill('.modal-ux input', token);
  await page.click('.modal-ux .btn.authorize');
  await page.click('.modal-ux .btn-done');
}

/** A stream is stopped once it is shown; whatever the answer is, it is not that the sample was wrong. */
async function tryOut(page: Page, id: string): Promise<void> {
  const operation = page.locator(byId(id));
  const answered = page.waitForResponse((response) => /\/v1\//.test(response.url()), {
    timeout: PATIENCE_MS,
  });
  await execute(operation);
  const status = (await answered).status();
  assert.notEqual(status, 400, await operation.innerText());
  const shown = operation.locator('.live-responses-table .response .response-col_status').first();
  await shown.getByText(String(status)).waitFor({ timeout: PATIENCE_MS });
  const stop = operation.getByRole('button', { name: 'Stop' });
  if (/watch/i.test(id)) await watchOne(page, operation);
  await stop.waitFor({ state: 'detached', timeout: PATIENCE_MS });
  await operation.locator('.opblock-summary-control').click();
}

/** An order is made elsewhere; the page shows it while the stream goes on. */
async function watchOne(page: Page, operation: Locator): Promise<void> {
  const { origin } = new URL(page.url());
  const curl = await operation.locator('.curl').innerText();
  const [authorization = ''] = /Bearer [^']+/.exec(curl) ?? [];
  const response = await fetch(`${origin}/v1/orders`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ lines: [{ product: 'products/tea', quantity: 1 }], address: 'Bath' }),
  });
  const { name } = (await response.json()) as { name: string };
  await operation.locator('.live-responses-table').getByText(name).waitFor();
  await operation.getByRole('button', { name: 'Stop' }).click();
}

async function execute(operation: Locator): Promise<void> {
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
}

function byId(id: string): string {
  return `[id="${id}"]`;
}
