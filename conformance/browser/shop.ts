import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { lookAround, step, watch } from '../chromium.js';
import { testPrograms } from './programs.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The docs of the demo: every method is tried as the page offers it, and the page is looked at on every screen. */
export async function testShop(browser: Browser): Promise<void> {
  const shop = await ShopProcess.start(process.cwd());
  try {
    const [, http = ''] = await shop.said(/REST +(\S+)/);
    const [, token = ''] = await shop.said(/GRACE=(\S+)/);
    const [, customer = ''] = await shop.said(/ADA=(\S+)/);
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const { elsewhere } = watch(page, http);
    await open(page, http);
    await step('the docs are whole and readable on every screen, closed', () =>
      lookAround(page, 'the list'),
    );
    await step('the search finds methods by words of paths and summaries', () => search(page));
    await testPrograms({ page, http, token });
    await step('"Authorize" is used by keyboard alone, with a token as it was copied', () =>
      authorizeByKeyboard(page, `Bearer ${customer}`),
    );
    await step('a link leads to an operation, and a refusal can be read', async () => {
      await page.goto(`${http}/docs#/Orders/Orders_Cancel`);
      await page.reload();
      const operation = page.locator(`${byId('operations-Orders-Orders_Cancel')}.is-open`);
      await operation.waitFor();
      await authorize(page, customer);
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table .response');
      await answer.getByText('"code": "PERMISSION_DENIED"').waitFor();
      await page.setViewportSize({ width: 390, height: 1000 });
      assert.equal(await page.evaluate(IS_COVERED), false);
      await lookAround(page, 'a refusal');
    });
    await open(page, http);
    await authorize(page, token);
    const ids = await page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id));
    assert.ok(ids.length >= 18, `${ids.length} methods`);
    for (const controller of ['Sales', 'Outbox', 'PaymentsCrash']) {
      assert.ok(
        ids.some((id) => id.includes(controller)),
        `${controller} is not beside the RPCs`,
      );
    }
    for (const id of ids) {
      await step(`"Try it out" and "Execute" on ${id.replace(/.*-/, '')}`, () => tryOut(page, id));
    }
    assert.deepEqual(elsewhere, []);
    const order = page.locator(byId('operations-Orders-Orders_Create'));
    await order.locator('.opblock-summary-control').click();
    await order.locator('.live-responses-table .response').waitFor();
    await step('the docs are whole and readable on every screen, with an answer', () =>
      lookAround(page, 'an answer'),
    );
    await page.close();
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

async function search(page: Page): Promise<void> {
  const input = page.getByRole('searchbox', { name: 'Search operations' });
  const all = await page.locator('.opblock').count();
  await input.fill('orders cancels');
  const found = page.locator('.opblock');
  await page.locator('.opblock-tag-section').first().waitFor();
  assert.deepEqual(await found.locator('.opblock-summary-path').allInnerTexts(), [
    '/v1/orders/{order}:cancel',
  ]);
  await lookAround(page, 'a search');
  await input.fill('');
  assert.equal(await page.locator('.opblock').count(), all);
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.click('.auth-wrapper .btn.authorize');
  await page.fill('.modal-ux input', token);
  await page.click('.modal-ux .btn.authorize');
  await page.click('.modal-ux .btn-done');
}

async function authorizeByKeyboard(page: Page, token: string): Promise<void> {
  const opener = page.locator('.auth-wrapper .btn.authorize');
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Authorization' });
  await dialog.waitFor();
  await lookAround(page, 'the dialog');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Logout' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** Whether a button lies upon the last line of a text. */
const IS_COVERED = `(() => {
  const element = document.querySelector('.live-responses-table .response pre.microlight');
  const range = document.createRange();
  range.selectNodeContents(element);
  const { right, bottom } = [...range.getClientRects()].at(-1);
  const buttons = element.parentElement.querySelectorAll('button, .copy-to-clipboard, .download-contents');
  return [...buttons].some((button) => {
    const { top, left } = button.getBoundingClientRect();
    return top < bottom && left < right;
  });
})()`;

/** A stream is stopped once it is shown; whatever the answer is, it is not that the sample was wrong. */
async function tryOut(page: Page, id: string): Promise<void> {
  const operation = page.locator(byId(id));
  const answered = page.waitForResponse((response) => !response.url().includes('/docs/'), {
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
