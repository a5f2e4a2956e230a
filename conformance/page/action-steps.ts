import assert from 'node:assert/strict';
import { LogxLoggerService } from '@apix/logx';
import type { StartedHost } from '@apix/hostx/testing';
import type { Page } from 'playwright-core';
import { step } from '../chromium.js';
import { logged } from './app.js';
import { openTab } from './tab-steps.js';

/** What those who may can do about services and levels. */
export async function actionSteps(page: Page, app: StartedHost): Promise<void> {
  await step('a service is restarted by its button, and its dependants are not', async () => {
    await openTab(page, 'Overview');
    const row = (name: string) =>
      page.locator('#services tr', {
        has: page.getByRole('rowheader', { name, exact: true }),
      });
    assert.equal(await row('http').getByRole('button').count(), 0);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Restart mailer' }).click();
    await page.locator('#services-said', { hasText: 'mailer was asked to restart' }).waitFor();
    await row('mailer').getByText('0 + 1 asked for').waitFor();
    await row('mailer').getByText('ready', { exact: true }).waitFor();
    await page.locator('#events tr', { hasText: 'restart by hand' }).waitFor();
    assert.equal(await page.getByText('+ 1 asked for').count(), 1);
    assert.ok(wasLogged('mailer: restart by hand, from the host page'));
  });
  await step('a level is changed for a while, and set back', async () => {
    await openTab(page, 'Logs');
    const log = app.app!.get(LogxLoggerService);
    const rows = page.locator('#logs tr');
    await page.fill('#level-logger', 'stock');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.locator('#level-said', { hasText: 'the level of stock is debug' }).waitFor();
    await page.locator('#levels tr', { hasText: 'stock' }).waitFor();
    assert.match(
      await page.locator('#levels').innerText(),
      /^stock\s+debug\s+1[45]m[\d\ss]*As before$/,
    );
    log.debug('tea is counted', 'stock');
    log.debug('orders are counted', 'orders');
    await rows.filter({ hasText: 'tea is counted' }).waitFor();
    assert.equal(await rows.filter({ hasText: 'orders are counted' }).count(), 0);
    assert.ok(wasLogged('stock: minimum level debug for 15m, from the host page'));
    await page.getByRole('button', { name: 'Set the level of stock as before' }).click();
    await page.locator('#levels-table').waitFor({ state: 'hidden' });
    log.debug('tea is counted again', 'stock');
    log.log('tea was counted', 'stock');
    await rows.filter({ hasText: 'tea was counted' }).waitFor();
    assert.equal(await rows.filter({ hasText: 'counted again' }).count(), 0);
    await page.fill('#level-logger', '');
    await openTab(page, 'Overview');
  });
}

function wasLogged(begin: string): boolean {
  return [...logged].some(({ message }) => message.startsWith(begin));
}
