import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';
import { openTab } from './tab-steps.js';

const ROUTE = 'GET /orders/:id';

/** What is seen of routes, after a crash of the outbox of late. */
export async function routeSteps(page: Page, origin: string): Promise<void> {
  const row = page.locator('#routes tr', { hasText: ROUTE });
  const errors = row.locator('td').nth(1);

  await step('a route that was called has its rate, errors and latency as plots', async () => {
    for (const id of ['1', '2', '3', 'broken', 'unknown']) await fetch(`${origin}/orders/${id}`);
    await errors.getByText('1 (20 %)', { exact: true }).waitFor();
    assert.match(await row.locator('td').nth(0).innerText(), /^[\d.]+\/s$/);
    assert.match(await row.locator('td').nth(2).innerText(), /^[\d.]+ m?s, at most [\d.]+ m?s$/);
    for (const name of [/^calls, at most [\d.]+\/s/, /^errors, at most [\d.]+\/s/, /^mean and/]) {
      const plot = row.getByRole('img', { name });
      assert.match((await plot.locator('path').last().getAttribute('d'))!, /^M[\d.]+,25V/);
    }
    assert.equal(await page.locator('#routes tr', { hasText: '/host' }).count(), 0);
  });
  await step('the plots of routes mark a restart as the others do', async () => {
    await row.locator('.mark-restart').nth(2).waitFor({ state: 'attached' });
    assert.match((await errors.getByRole('img').getAttribute('aria-label'))!, /; \d+ marked$/);
  });
  await step('a 4xx is an error by choice, which the address keeps', async () => {
    await page.getByRole('checkbox', { name: 'errors include 4xx' }).check();
    await errors.getByText('2 (40 %)', { exact: true }).waitFor();
    await page.selectOption('#routes-sort', 'errors');
    assert.equal(new URL(page.url()).hash, '#/overview?sort=errors&refused=yes');
    await page.reload();
    await errors.getByText('2 (40 %)', { exact: true }).waitFor();
    await page.fill('#routes-filter', 'no such route');
    await page.locator('#routes', { hasText: 'nothing matches the filter' }).waitFor();
    await page.fill('#routes-filter', '');
    await lookAround(page, 'routes');
  });
  await step(
    'failures are requests, crashes and checks in one list, and 4xx by choice',
    async () => {
      await openTab(page, 'Traces');
      const failures = page.locator('#failed tr');
      await failures.filter({ hasText: ROUTE }).filter({ hasText: 'no stock' }).waitFor();
      await failures.filter({ hasText: /^outbox.*restart 1 in/ }).waitFor();
      await failures.filter({ hasText: 'service outbox' }).filter({ hasText: 'fails' }).waitFor();
      const refused = failures.filter({ hasText: ROUTE }).filter({ hasText: '404' });
      assert.equal(await refused.count(), 0);
      await page.getByRole('checkbox', { name: 'include 4xx', exact: true }).check();
      await refused.waitFor();
      assert.equal(new URL(page.url()).hash, '#/traces?refused=yes');
      await lookAround(page, 'failures');
      await openTab(page, 'Overview');
    },
  );
}
