import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';
import { openTab } from './tab-steps.js';

/** Methods are called from the page, by the browser itself. */
export async function callSteps(page: Page): Promise<void> {
  const ways = page.locator('#call-way');
  const status = page.locator('#call-status');
  const messages = page.locator('#call-messages pre');
  const open = async (method: string): Promise<void> => {
    await page.locator('#callables').getByRole('button', { name: method, exact: true }).click();
    await page.getByRole('heading', { name: method, exact: true }).waitFor();
    await ways.locator('option', { hasText: 'gRPC-Web' }).waitFor({ state: 'attached' });
  };
  const send = async (): Promise<void> => page.getByRole('button', { name: 'Send' }).click();
  const by = async (way: string): Promise<void> => {
    const options = await ways.locator('option').allInnerTexts();
    await ways.selectOption({ label: options.find((option) => option.startsWith(way))! });
  };
  /** Sends what the form has, and waits for the end. */
  const ended = async (text: string | RegExp): Promise<string[]> => {
    await send();
    await status.getByText(text).waitFor();
    return messages.allInnerTexts();
  };

  await step('a method is called as a caller, by each protocol', async () => {
    await openTab(page, 'Call');
    await open('/records.v1.Records/Ping');
    assert.deepEqual(await ways.locator('option').allInnerTexts(), ['Connect', 'gRPC-Web']);
    const [refused] = await ended(/^status 401/);
    assert.equal((JSON.parse(refused!) as { code: string }).code, 'unauthenticated');
    await page.fill('#call-token', 'ada');
    await page.fill('#call-body', '{"name":"<b>records/a</b>"}');
    assert.deepEqual(await ended(/^status 200/), ['{\n  "text": "pong <b>records/a</b>"\n}']);
    await by('gRPC-Web');
    assert.match((await ended(/^OK/)).join(''), /"text": "pong /);
    await page.fill('#call-token', 'eve');
    assert.deepEqual(await ended(/^UNAUTHENTICATED/), []);
    await page.fill('#call-token', 'ada');
    await open('/records.v1.Records/Spend');
    await by('REST');
    assert.equal(await page.inputValue('#call-target'), '/v1/spend');
    assert.match((await ended(/^status 200/)).join(''), /"text": "spent by /);
  });
  await step('a stream is shown while it comes, until it is cancelled', async () => {
    await open('/records.v1.Records/Watch');
    for (const way of ['REST', 'Connect', 'gRPC-Web']) {
      await by(way);
      await send();
      await messages.nth(2).waitFor();
      assert.match(await messages.nth(0).innerText(), /"text": ".* 0"/);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await status.getByText('cancelled', { exact: true }).waitFor();
    }
    await lookAround(page, 'called');
    await send();
    await messages.first().waitFor();
    await open('/records.v1.Records/Ping');
    assert.deepEqual([await status.innerText(), await messages.count()], ['', 0]);
    assert.equal(await page.getByRole('button', { name: 'Send' }).isEnabled(), true);
  });
  await step('several messages are sent, and what HTTP/1.1 cannot carry is refused', async () => {
    await open('/records.v1.Records/Upload');
    await page.fill('#call-body', '[{"name":"records/a"},{"name":"records/b"}]');
    for (const way of ['Connect', 'gRPC-Web']) {
      const body = await page.inputValue('#call-body');
      await by(way);
      await page.fill('#call-body', body);
      assert.match((await ended(/^(?:ok|OK)/)).join(''), /"text": "records\/a, records\/b"/);
    }
    await page.fill('#call-body', '{}');
    await ended('the messages must be a JSON list');
    await open('/records.v1.Records/Chat');
    await ended(/505|UNIMPLEMENTED/);
  });
  await step('what is wrong with the form is said, and nothing is sent elsewhere', async () => {
    await open('/records.v1.Records/Ping');
    await page.fill('#call-target', '//example.com/');
    await ended('only this app is called');
    await page.fill('#call-headers', 'no colon');
    await page.fill('#call-target', '/records.v1.Records/Ping');
    await ended('is not of the form name: value');
    await page.fill('#call-headers', '');
  });
  await step('an address leads to the method, and has nothing of the caller', async () => {
    assert.equal(new URL(page.url()).hash, '#/call?method=%2Frecords.v1.Records%2FPing');
    await page.reload();
    await page.getByRole('heading', { name: '/records.v1.Records/Ping' }).waitFor();
    assert.equal(await page.inputValue('#call-token'), '');
    await page.locator('#called-title').press('Escape');
    await page.locator('#called').waitFor({ state: 'hidden' });
    assert.equal(new URL(page.url()).hash, '#/call');
  });
  await openTab(page, 'Overview');
}
