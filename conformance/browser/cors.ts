import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { step } from '../chromium.js';
import { TOKEN } from './app.js';

/** A web page of another origin: an address of the loopback interface and a port make one. */
export interface OtherOrigin {
  readonly origin: string;
  close(): void;
}

/** Serves an empty page. */
export async function startPage(): Promise<OtherOrigin> {
  const server: Server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** What a page gets of the gateway: the text of an answer, or that the browser withheld it. */
async function fetched(browser: Browser, origin: string, url: string): Promise<string> {
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    return await page.evaluate(
      async ([to, token]) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
        const body = JSON.stringify({ str: 'from afar' });
        try {
          const answer = await fetch(to, { method: 'POST', headers, body });
          return `${answer.status} ${await answer.text()}`;
        } catch {
          return 'withheld';
        }
      },
      [url, TOKEN] as const,
    );
  } finally {
    await page.close();
  }
}

/** A POST with JSON and a token, for which the browser asks first, by pages of two origins. */
export async function testCors(
  browser: Browser,
  app: string,
  pages: { readonly allowed: OtherOrigin; readonly other: OtherOrigin },
): Promise<void> {
  const { allowed, other } = pages;
  await step(
    'a page of an origin that enableCors allows reads an answer of the gateway',
    async () => {
      const answer = await fetched(browser, allowed.origin, `${app}/v1/whole`);
      assert.match(answer, /^200 .*"str":"from afar"/);
    },
  );
  await step('it reads an error of the gateway too', async () => {
    const answer = await fetched(browser, allowed.origin, `${app}/v1/whole?nope=1`);
    assert.match(answer, /^400 .*nope/);
  });
  await step('a page of another origin reads nothing', async () => {
    assert.equal(await fetched(browser, other.origin, `${app}/v1/whole`), 'withheld');
  });
}
