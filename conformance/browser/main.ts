import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { launchChromium, lookAround, step, watch } from '../chromium.js';
import { TOKEN, startApp } from './app.js';
import { startPage, testCors } from './cors.js';
import { testShop } from './shop.js';

const SHOTS = 'coverage/browser';
const OPERATION = '#operations-EchoService-EchoService_Query';

const pages = { allowed: await startPage(), other: await startPage() };
const app = await startApp(pages.allowed.origin);
const browser = await launchChromium();
try {
  await mkdir(SHOTS, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  const { elsewhere, complaints } = watch(page, app.origin);
  await step('the page loads at /docs', async () => {
    await page.goto(`${app.origin}/docs`);
    await page.waitForSelector(OPERATION);
    assert.equal(await page.title(), 'Docs of both');
    await page.screenshot({ path: `${SHOTS}/page.png` });
  });
  await step('"Try it out" without a token is told 401', async () => {
    await page.click(`${OPERATION} .opblock-summary-control`);
    await page.click(`${OPERATION} .try-out__btn`);
    await page.fill(`${OPERATION} tr[data-param-name="str"] input`, 'héllo');
    await execute(page);
    await showsAnswer(page, /^\s*401[^]*a token is needed/);
  });
  // The browser itself reports the 401 on its console.
  complaints.splice(0, complaints.length, ...complaints.filter((it) => !/status of 401/.test(it)));
  await step('"Authorize" takes a bearer token', async () => {
    await page.click('.auth-wrapper .btn.authorize');
    await page.fill('.modal-ux input', TOKEN);
    await page.click('.modal-ux .btn.authorize');
    await page.click('.modal-ux .btn-done');
  });
  await step('"Try it out" on a gateway method returns the data', async () => {
    await execute(page);
    await showsAnswer(page, /^\s*200[^]*"str": "héllo"/);
    await page.locator(OPERATION).screenshot({ path: `${SHOTS}/answer.png` });
  });
  await step('a parameter with several segments keeps its slashes', async () => {
    const operation = '#operations-EchoService-EchoService_Path_5';
    await page.click(`${operation} .opblock-summary-control`);
    await page.click(`${operation} .try-out__btn`);
    await page.fill(`${operation} tr[data-param-name="str"] input`, 'a b/c/d');
    const answered = page.waitForResponse((response) => response.url().includes('/v1/path/rest/'));
    await page.click(`${operation} .execute`);
    assert.match((await answered).url(), /\/v1\/path\/rest\/a%20b\/c\/d(?:$|\?)/);
    const answer = page.locator(`${operation} .live-responses-table .response`);
    await answer.filter({ hasText: /"str": "a b\/c\/d"/ }).waitFor();
    const curl = await page.locator(`${operation} .curl-command`).textContent();
    assert.match(String(curl), /\/v1\/path\/rest\/a%20b\/c\/d/);
  });
  await step('hand-written controllers are beside the methods', async () => {
    await page.locator('[id*="Refunds"]').first().waitFor();
  });
  await step('the drop-down leads to the specification of the controllers', async () => {
    const names = await page.locator('#select option').allTextContents();
    assert.deepEqual(names, ['gateway.json', 'controllers']);
    await page.selectOption('#select', { label: 'controllers' });
    await page.waitForSelector('[id*="Refunds"]');
    await page.screenshot({ path: `${SHOTS}/controllers.png` });
  });
  await step('it is whole and readable on every screen, and has no bar of its own', async () => {
    assert.equal(await page.getByRole('button', { name: 'Explore' }).count(), 0);
    await lookAround(page, 'two documents');
  });
  await step('no request left the host', () => assert.deepEqual(elsewhere, []));
  await step('nothing broke the policy', () => assert.deepEqual(complaints, []));
  await testCors(browser, app.origin, pages);
  if (process.argv.includes('--shop')) await testShop(browser);
} finally {
  await browser.close();
  await app.close();
  pages.allowed.close();
  pages.other.close();
}
console.log(`screenshots are in ${SHOTS}`);

async function execute(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/v1/query'));
  await page.click(`${OPERATION} .execute`);
  await answered;
}

/** Waits until the page shows such an answer, whose parts come one after the other in place of those before. */
async function showsAnswer(page: Page, wanted: RegExp): Promise<void> {
  const row = page.locator(`${OPERATION} .live-responses-table .response`);
  await row.filter({ hasText: wanted }).waitFor();
}
