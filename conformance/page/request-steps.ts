import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';
import { leastContrast } from './contrast.js';
import { HOSTILE, request } from './requests.js';

/** What is seen of requests and their spans. */
export async function requestSteps(page: Page): Promise<void> {
  request('GET /products', 12);
  const endLate = request('POST /orders', 240, `no stock ${HOSTILE}`);
  const rowOf = (list: string) =>
    page.locator(`#${list} tr`, { has: page.getByRole('button', { name: 'POST /orders' }) });
  const spans = page.locator('#spans tr');

  await step('it shows the slowest requests and those that failed', async () => {
    await rowOf('slowest').getByText('240 ms').waitFor();
    await rowOf('failed').getByText(`no stock ${HOSTILE}`, { exact: true }).waitFor();
    assert.equal(await page.locator('#failed').getByText('GET /products').count(), 0);
    assert.equal(await page.locator('#trace').isHidden(), true);
  });
  await step('a request opens by keyboard, and its spans are below each other', async () => {
    await rowOf('slowest').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await spans.nth(3).waitFor();
    assert.equal(await rowOf('slowest').getByRole('button').getAttribute('aria-expanded'), 'true');
    assert.equal(await focusedId(page), 'trace-title');
    const rows = await page.evaluate<string[][]>(
      "[...document.querySelectorAll('#spans tr')].map((row) => [row.querySelector('summary').textContent, row.cells[0].className])",
    );
    assert.deepEqual(rows, [
      ['POST /orders', 'depth-0'],
      ['Orders.create', 'depth-1'],
      [HOSTILE, 'depth-2'],
      ['POST payments', 'depth-2'],
    ]);
    assert.match(await page.locator('#trace-summary').innerText(), /^240 ms · failed: no stock/);
  });
  await step('what is known of a span opens by keyboard too, and is text', async () => {
    await spans.nth(2).locator('summary').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await spans.nth(2).locator('dd').allInnerTexts(), [
      'client',
      `no stock ${HOSTILE}`,
      HOSTILE,
    ]);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.evaluate('window.stolen'), undefined);
  });
  await step('a span that ends late joins, and leaves open what is open', async () => {
    endLate();
    await spans.nth(4).getByText('outbox').waitFor();
    assert.equal(await spans.nth(2).locator('dd').first().isVisible(), true);
    assert.equal(await page.evaluate('document.activeElement.textContent'), HOSTILE);
  });
  await step('requests that come leave the focus and what is open alone', async () => {
    await rowOf('slowest').getByRole('button').focus();
    for (let i = 0; i < 30; i++) request(`GET /slow/${i}`, 100 + i * 10, 'busy');
    await page.locator('#failed').getByText('GET /slow/29').waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'POST /orders');
    assert.equal(await spans.count(), 5);
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await step(`a waterfall can be read in ${colorScheme} colours`, async () => {
      await page.emulateMedia({ colorScheme });
      const { ratio, text } = await leastContrast(page);
      assert.ok(ratio >= 4.5, `"${text}" has a contrast of ${ratio.toFixed(2)}`);
    });
  }
  await step('it is whole and readable on every screen with a request open', () =>
    lookAround(page, 'a request open'),
  );
  await step('Escape closes it, and the focus is where it was', async () => {
    await page.locator('#trace-close').focus();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#trace').isHidden(), true);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'POST /orders');
  });
}

function focusedId(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.id');
}
