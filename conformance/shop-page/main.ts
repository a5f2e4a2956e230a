import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { launchChromium, lookAround, step, watch } from '../chromium.js';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const SHOTS = 'coverage/shop-page';
const CREATE = '/v1/orders';

const browser = await launchChromium();
try {
  await testPage();
} finally {
  await browser.close();
}

/** The page of the shop: products, an order, a denial and the live feed, over Connect and over gRPC-Web. */
async function testPage(): Promise<void> {
  const shop = await ShopProcess.start(process.cwd());
  try {
    const [, http = ''] = await shop.said(/REST +(\S+)/);
    const [, grace = ''] = await shop.said(/GRACE=(\S+)/);
    const [, ada = ''] = await shop.said(/ADA=(\S+)/);
    await mkdir(SHOTS, { recursive: true });
    await testHome(http);
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const { elsewhere, complaints } = watch(page, http);
    await step('the page of the shop lists products to anybody', async () => {
      await page.goto(`${http}/shop`);
      await page.getByRole('button', { name: /^Order Green tea/ }).waitFor();
      if (!values.quick) await lookAround(page, 'the products');
    });
    assert.deepEqual(complaints, [], 'errors on the console');
    for (const protocol of values.quick ? ['grpc-web'] : ['connect', 'grpc-web']) {
      await page.selectOption('#protocol', protocol);
      await testCallers(page, protocol, { http, ada, grace });
    }
    await page.screenshot({ path: `${SHOTS}/shop.png`, fullPage: true });
    await step('no request of the page of the shop left the host', () =>
      assert.deepEqual(elsewhere, []),
    );
    // The browser itself reports each 401 and 403 on its console.
    const others = complaints.filter((it) => !/status of 40[13]/.test(it));
    await step('nothing broke the policy of the page of the shop', () =>
      assert.deepEqual(others, []),
    );
    await page.close();
  } finally {
    await shop.remove();
  }
}

/** The first page: its links and lines, and a button that copies a line. */
async function testHome(http: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 1000 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const { elsewhere, complaints } = watch(page, http);
  await step('the first page looks well on every screen', async () => {
    await page.goto(http);
    await page.getByRole('heading', { name: 'One policy, three callers' }).waitFor();
    if (!values.quick) await lookAround(page, 'the first page');
    await page.screenshot({ path: `${SHOTS}/home.png`, fullPage: true });
  });
  await step('a line of the first page is copied as the page shows it', async () => {
    const row = page.locator('.command').first();
    await row.getByRole('button').click();
    await row.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await row.locator('code').textContent());
    assert.equal(copied.startsWith(`curl -i -X POST ${http}/v1/orders/1001:cancel `), true);
  });
  await step('the first page has no token, and none of its requests left the host', async () => {
    assert.doesNotMatch(await page.content(), /eyJ/);
    assert.deepEqual(elsewhere, []);
    assert.deepEqual(complaints, []);
  });
  await context.close();
}

interface Callers {
  readonly http: string;
  readonly ada: string;
  readonly grace: string;
}

async function testCallers(page: Page, protocol: string, callers: Callers): Promise<void> {
  const { http, ada, grace } = callers;
  const outcome = page.locator('#outcome');
  const press = (name: RegExp | string): Promise<void> =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  const says = (text: RegExp): Promise<void> => outcome.filter({ hasText: text }).waitFor();
  const show = 'Show the orders of this caller';
  await step(`${protocol}: nobody is told that credentials are missing`, async () => {
    await page.fill('#token', '');
    await press(show);
    await says(/^Orders: denied, because the shop does not know who calls \(Unauthenticated: /);
    assert.equal(await outcome.getAttribute('class'), 'denied');
  });
  await step(`${protocol}: ada orders, and sees her orders alone`, async () => {
    await page.fill('#token', `Bearer ${ada}`);
    await press(/^Order Green tea/);
    await says(/^Ordering Green tea[^:]*: orders\//);
    await press(show);
    await says(/^Orders: \d+ that this caller may see/);
    const rows = await page.locator('#orders li').allInnerTexts();
    assert.ok(rows.length > 1 && rows.every((text) => text.includes(', ada:')), rows.join('\n'));
  });
  await step(`${protocol}: ada may not watch, and reads why`, async () => {
    await press('Watch');
    await says(/^Watching: denied, because this caller may not \(PermissionDenied: /);
    assert.equal(await outcome.getAttribute('class'), 'denied');
    if (!values.quick && protocol === 'connect') await lookAround(page, 'a denial');
  });
  await step(`${protocol}: grace watches an order come in, and stops`, async () => {
    await page.fill('#token', grace);
    await press('Watch');
    await says(/^Watching: waiting for orders/);
    assert.equal(await page.locator('#orders li').count(), 0, 'orders of another caller');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    const name = await orderUntilShown(page, http, ada);
    await page.locator('#feed').getByText(name).waitFor();
    await press('Stop');
    await says(/^Watching: ended/);
  });
}

/** Orders are made until one is shown: what came before the stream had begun is not in it. */
async function orderUntilShown(page: Page, http: string, token: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${http}${CREATE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lines: [{ product: 'products/tea', quantity: 1 }], address: 'Bath' }),
    });
    const { name } = (await response.json()) as { name: string };
    const shown = page.locator('#feed').getByText(name);
    const isShown = await shown.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isShown) return name;
  }
}
