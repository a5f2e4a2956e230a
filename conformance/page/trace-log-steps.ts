import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';
import { leastContrast } from './contrast.js';
import { openTab } from './tab-steps.js';

/** What is seen of the log of a request that failed while nobody looked at log or traces. */
export async function traceLogSteps(page: Page, origin: string): Promise<void> {
  const events = page.locator('#trace-events tr');
  const messages = (): Promise<string[]> => events.locator('td:nth-child(4)').allInnerTexts();

  await step(
    'a request that fails while nobody looks has its debug events in its trace',
    async () => {
      await openTab(page, 'Overview');
      // The tab that was left is followed for a moment.
      await page.waitForTimeout(500);
      const headers = { 'x-request-id': 'tea-1' };
      assert.equal((await fetch(`${origin}/stock/tea`, { headers })).status, 500);
      await openTab(page, 'Traces');
      const failed = page.locator('#failed').getByRole('button', { name: 'GET /stock/tea' });
      await failed.click();
      await events.filter({ hasText: '-> 500' }).waitFor();
      const [first, second, ...rest] = await messages();
      assert.equal(first, 'asking <b>shelf 7</b>');
      assert.equal(second, 'shelf 7 does not answer');
      assert.match(rest.join(' '), /no <b>tea<\/b>.*GET \/stock\/tea -> 500/);
      assert.deepEqual(await events.nth(0).locator('td:nth-child(2)').allInnerTexts(), ['debug']);
      assert.match(await page.locator('#trace-gap').innerText(), /^Only warnings, errors and/);
      assert.match(new URL(page.url()).hash, /^#\/traces\?trace=[\da-f]{16}$/);
    },
  );
  await step('its log is next to its spans, and below them on a phone', async () => {
    const before = page.viewportSize()!;
    const places = async (width: number) => {
      await page.setViewportSize({ width, height: 1000 });
      const spans = (await page.locator('.waterfall').boundingBox())!;
      return [spans, (await page.locator('#trace-log').boundingBox())!] as const;
    };
    const [spans, log] = await places(1440);
    assert.ok(log.x >= spans.x + spans.width && log.y === spans.y, JSON.stringify([spans, log]));
    const [above, below] = await places(390);
    assert.ok(below.y >= above.y + above.height, JSON.stringify([above, below]));
    await page.setViewportSize(before);
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await step(`the log of a request can be read in ${colorScheme} colours`, async () => {
      await page.emulateMedia({ colorScheme });
      const { ratio, text } = await leastContrast(page);
      assert.ok(ratio >= 4.5, `"${text}" has a contrast of ${ratio.toFixed(2)}`);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 1000 });
        const path = `coverage/page/trace-log-${width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    });
  }
  await step('it is whole and readable on every screen with a log', () =>
    lookAround(page, 'a request with its log'),
  );
  await step('each event leads to those of its request, and from there to the trace', async () => {
    await events.nth(0).getByRole('link', { name: 'tea-1' }).click();
    await page.getByRole('tabpanel', { name: 'Logs' }).waitFor();
    assert.equal(await page.locator('#logs-request').inputValue(), 'tea-1');
    const rows = page.locator('#logs tr');
    await rows.filter({ hasText: 'asking <b>shelf 7</b>' }).waitFor();
    assert.equal(await rows.filter({ hasNotText: 'tea-1' }).count(), 0);
    await lookAround(page, 'the events of a request');
    await rows.last().getByRole('link', { name: 'GET /stock/tea' }).click();
    await page.getByRole('tabpanel', { name: 'Traces' }).waitFor();
    await events.filter({ hasText: 'asking <b>shelf 7</b>' }).waitFor();
    assert.equal(await page.locator('#trace-title').innerText(), 'GET /stock/tea');
  });
  await step('a trace is opened by its address, and closed', async () => {
    await page.reload();
    await events.filter({ hasText: 'shelf 7 does not answer' }).waitFor();
    await page.waitForFunction("document.activeElement.id === 'trace-title'");
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#trace').isHidden(), true);
    assert.equal(new URL(page.url()).hash, '#/traces');
  });
}
