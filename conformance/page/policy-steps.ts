import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Authorizer } from '@apix/authz';
import { step } from '../chromium.js';
import { openTab } from './tab-steps.js';

const SPEND = '/records.v1.Records/Spend';
const PING = '/records.v1.Records/Ping';
const EVE = { id: '<b>eve</b>', roles: [], permissions: [] };
const USER = { id: 'ada', roles: ['user'], permissions: [] };

/** Who may call what, why, and what was decided. */
export async function policySteps(page: Page, authorizer: Authorizer): Promise<void> {
  const row = (method: string) => page.locator('#methods tr', { hasText: method });
  await step('the matrix of policies is that of the app', async () => {
    await openTab(page, 'Policies');
    await row(SPEND).waitFor();
    const methods = await page.locator('#methods th').allInnerTexts();
    assert.deepEqual(methods, authorizer.methods.names());
    const heads = await page.locator('#methods-head th').allInnerTexts();
    assert.deepEqual(heads.slice(2), ['anonymous', 'any caller', 'user']);
    for (const method of methods) {
      const marks = await row(method).locator('td.mark').allInnerTexts();
      const wanted = [null, { ...USER, roles: [] }, USER].map(
        (caller) =>
          ({ allowed: '✓', denied: '', undecided: '?' })[authorizer.accessFor(method, caller)],
      );
      assert.deepEqual([method, marks], [method, wanted]);
    }
  });
  await step('methods are filtered', async () => {
    await page.fill('#methods-filter', 'records/SPEND');
    assert.deepEqual(await page.locator('#methods th').allInnerTexts(), [SPEND]);
    assert.match(await page.locator('#methods-count').innerText(), /^1 of \d+$/);
    await page.fill('#methods-filter', '');
  });
  await step('a method is explained to a caller, and the address leads there again', async () => {
    const verdict = page.locator('#explained-verdict');
    await row(SPEND).getByRole('button').click();
    await verdict.getByText('depends on the request').waitFor();
    await page.locator('#explained-findings li').first().waitFor();
    await page.check('#caller-anonymous');
    await verdict.getByText('denied, UNAUTHENTICATED').waitFor();
    await page.reload();
    await verdict.getByText('denied, UNAUTHENTICATED').waitFor();
    assert.equal(await page.isChecked('#caller-anonymous'), true);
    assert.match(new URL(page.url()).hash, /^#\/policies\?method=.*&anonymous=yes$/);
    await page.uncheck('#caller-anonymous');
    await verdict.getByText('depends on the request').waitFor();
    await page.locator('#explained-title').press('Escape');
    await page.locator('#explained').waitFor({ state: 'hidden' });
    assert.equal(new URL(page.url()).hash, '#/policies');
  });
  await step('decisions are shown as they are made, and those that were denied alone', async () => {
    const decisions = page.locator('#decisions tr');
    await row(PING).waitFor();
    const told = (): Promise<number> => page.locator('#decisions td').count();
    // Until the new viewer is there, nobody follows them.
    while ((await told()) < 2) {
      authorizer.authorize(undefined, PING, USER);
      await page.waitForTimeout(50);
    }
    authorizer.authorize(undefined, PING, EVE);
    await decisions.filter({ hasText: 'roles' }).filter({ hasText: '<b>eve</b>' }).waitFor();
    await page.check('#decisions-denied');
    assert.deepEqual(await decisions.locator('td:nth-child(3)').allInnerTexts(), ['denied']);
    await page.uncheck('#decisions-denied');
    await page.locator('#denials tr', { hasText: PING }).getByText('1', { exact: true }).waitFor();
  });
  await openTab(page, 'Overview');
}
