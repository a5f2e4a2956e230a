import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { step } from '../chromium.js';

/** The tabs of the app, which runs in one process. */
export const TABS = ['Overview', 'Logs', 'Traces', 'Policies', 'Call', 'Jobs'] as const;

/** Opens a tab as somebody with a mouse does. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
}

/** How one gets from tab to tab. */
export async function tabSteps(page: Page): Promise<void> {
  const selected = page.getByRole('tab', { selected: true });
  const isOpen = async (name: string): Promise<void> => {
    await page.getByRole('tabpanel', { name }).waitFor();
    assert.equal(await selected.innerText(), name);
    assert.equal(await page.getByRole('tabpanel').count(), 1);
    assert.equal(new URL(page.url()).hash, `#/${name.toLowerCase()}`);
  };
  await step('tabs without a source are hidden', async () => {
    assert.deepEqual(await page.getByRole('tab').allInnerTexts(), TABS);
  });
  await step('the back button leads to the tab before', async () => {
    await openTab(page, 'Jobs');
    await openTab(page, 'Traces');
    await page.goBack();
    await isOpen('Jobs');
  });
  await step('the arrow keys lead along the tabs, without a trace in the history', async () => {
    const before = await page.evaluate('history.length');
    await selected.focus();
    for (const [key, name] of [
      ['ArrowRight', 'Overview'],
      ['ArrowLeft', 'Jobs'],
      ['Home', 'Overview'],
      ['End', 'Jobs'],
    ] as const) {
      await page.keyboard.press(key);
      await isOpen(name);
      assert.equal(await page.evaluate('document.activeElement.textContent'), name);
    }
    assert.equal(await page.evaluate('history.length'), before);
  });
  await step('a link leads to its tab, and one without a source says so', async () => {
    await page.reload();
    await isOpen('Jobs');
    await page.locator('#jobs tr').nth(1).waitFor();
    await page.goto(`${page.url().split('#')[0]!}#/processes`);
    await page.locator('#absent').waitFor();
    await openTab(page, 'Overview');
    await page.locator('#absent').waitFor({ state: 'hidden' });
  });
  await step('on a phone the tab that a link opens is in view', async () => {
    const before = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['Jobs', 'Overview']) {
      await page.goto(`${page.url().split('#')[0]!}#/${name.toLowerCase()}`);
      await page.reload();
      await isOpen(name);
      const { x, width } = (await selected.boundingBox())!;
      assert.ok(x >= 0 && x + width <= 390, `${name} is at ${x} to ${x + width}`);
    }
    await page.setViewportSize(before);
  });
  await step('a tab is opened while updates are paused, and then stands still', async () => {
    await page.locator('#pause').click();
    await page.reload();
    await page.locator('#pause').click();
    await openTab(page, 'Jobs');
    await page.locator('#jobs tr').nth(1).waitFor();
    await page.locator('#pause').click();
    await openTab(page, 'Overview');
  });
}
