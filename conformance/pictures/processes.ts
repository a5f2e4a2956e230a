import type { Page } from 'playwright-core';

/** A process starts in seconds, but not on a machine that is busy. */
const PATIENCE_MS = 120_000;

/** Kills one of the processes of an app, and waits on the tab Processes until another is in its place. */
export async function killOneProcess(page: Page, address: string): Promise<void> {
  await page.goto(`http://${address}/host#/processes`);
  const rows = page.locator('#processes tr');
  await rows.nth(2).waitFor();
  await page.waitForTimeout(5_000);
  const [pid] = /\d{3,}/.exec(await rows.nth(2).innerText()) ?? [];
  process.kill(Number(pid), 'SIGKILL');
  const again = rows.filter({ hasText: 'SIGKILL' }).filter({ hasText: 'ready' });
  await again.waitFor({ timeout: PATIENCE_MS });
}
