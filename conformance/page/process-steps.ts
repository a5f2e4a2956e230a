import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { freePort } from '../../tools/testing/free-port.js';
import type { Browser, Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';
import { AppProcess } from './app-process.js';
import { CREDENTIALS } from './app.js';

/** What is seen of a process that is reloaded, hangs, is killed, and is stopped. */
export async function processSteps(browser: Browser): Promise<void> {
  const port = await freePort();
  let app = await AppProcess.start(port);
  const page = await browser.newPage({ httpCredentials: CREDENTIALS });
  const veiled = page.locator('main.stale');
  try {
    await page.goto(`http://127.0.0.1:${port}/host`);
    await says(page, 'ready for traffic');
    await step('a reload by SIGHUP is on the plots and among the events', async () => {
      app.signal('SIGHUP');
      await page
        .locator('#events tr', { hasText: /reloaded .+ after/ })
        .first()
        .waitFor();
      for (const plot of ['memory', 'delay']) await marked(page, `#${plot} .mark-reload`);
    });
    await step('a process that hangs is veiled, though its connection is open', async () => {
      app.signal('SIGSTOP');
      await says(page, 'no connection to the host');
      await veiled.waitFor();
      assert.match(await page.title(), /^no connection to the host: /);
      app.signal('SIGCONT');
      await says(page, 'ready for traffic');
      await veiled.waitFor({ state: 'detached' });
    });
    const first = app.pid;
    await step(
      'a process that is killed is veiled at once, and every screen can be read',
      async () => {
        await app.end('SIGKILL');
        await says(page, 'no connection to the host');
        await veiled.waitFor();
        await page.locator('#why', { hasText: /^what is shown is \d+s old$/ }).waitFor();
        await lookAround(page, 'no connection');
        await page.screenshot({ path: 'coverage/page/host-page-lost.png', fullPage: true });
      },
    );
    await step('a proxy that has nothing behind it does not end the page', async () => {
      const proxy = createServer();
      // The browser gives up after its own attempt; the page then asks by itself.
      const asked = new Promise<void>((resolve) => {
        proxy.on('request', ({ method }, response) => {
          response.writeHead(502).end();
          if (method === 'HEAD') resolve();
        });
      });
      proxy.listen(port, '127.0.0.1');
      await asked;
      await says(page, 'no connection to the host');
      proxy.close();
      proxy.closeAllConnections();
    });
    await step('another process in its place is named', async () => {
      app = await AppProcess.start(port);
      await says(page, 'ready for traffic');
      await page.locator('#summary', { hasText: `in place of process ${first}` }).waitFor();
    });
    await step('a drain is in the banner and on the plots as long as it lasts', async () => {
      const ended = app.end('SIGTERM');
      await page.locator('#why', { hasText: /^the host is stopping: SIGTERM$/ }).waitFor();
      await says(page, 'not ready for traffic');
      await marked(page, '#memory .mark-drain');
      assert.equal(await veiled.count(), 0);
      await lookAround(page, 'a drain');
      await ended;
      await says(page, 'no connection to the host');
    });
  } finally {
    await page.close();
    await app.end('SIGKILL');
  }
}

async function says(page: Page, text: string): Promise<void> {
  await page.locator('#readiness', { hasText: new RegExp(`^${text}$`) }).waitFor();
}

/** A line without width is hidden to Playwright. */
async function marked(page: Page, line: string): Promise<void> {
  await page.locator(line).first().waitFor({ state: 'attached' });
}
