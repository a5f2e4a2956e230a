import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { launchChromium, step, watch } from '../../chromium.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

/** What each method answers to the sample of the page, by the end of its id. Those of WebSockets are not there. */
const ANSWERS: Readonly<Record<string, number>> = {
  GetPlant: 200,
  ListPlants: 200,
  CreatePlant: 200,
  WatchPlants: 200,
  Water: 200,
  Look: 200,
};

/** The docs page, as somebody sees it who has never heard of the server. */
export async function testPage(bed: Bed): Promise<void> {
  const { address } = await bed.python();
  const options = ['--backend', address, '--websockets', '--unbound', '--title', 'Garden'];
  // Samples that the server knows are in comments, which the code of its language does not embed.
  const { url } = await bed.gateway([...options, '--descriptors', bed.places.sets.garden]);
  await untilStatus(`${url}/readyz`, 200);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const { elsewhere, complaints } = watch(page, url);
    await step('the docs page has the title of the API and every method', async () => {
      await page.goto(`${url}/docs`);
      await page.waitForSelector('.opblock');
      assert.equal(await page.title(), 'Garden');
      const names = (await idsOf(page)).map((id) => id.replace(/.*_/, ''));
      assert.deepEqual(names.toSorted(), Object.keys(ANSWERS).toSorted());
    });
    for (const id of await idsOf(page)) {
      const name = id.replace(/.*_/, '');
      await step(
        `"Try it out" and "Execute" on ${name} is answered with ${ANSWERS[name]}`,
        async () => assert.equal(await tryOut(page, id), ANSWERS[name]),
      );
    }
    await step('no request left the host, and nothing broke the policy of the page', () => {
      assert.deepEqual(elsewhere, []);
      assert.deepEqual(complaints, []);
    });
  } finally {
    await browser.close();
  }
}

function idsOf(page: Page): Promise<string[]> {
  return page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id));
}

async function tryOut(page: Page, id: string): Promise<number> {
  const operation = page.locator(`[id="${id}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const answered = page.waitForResponse((response) => /\/v1\/|garden/.test(response.url()));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = (await answered).status();
  const shown = operation.locator('.live-responses-table .response .response-col_status').first();
  await shown.getByText(String(status)).waitFor();
  await operation.locator('.opblock-summary-control').click();
  return status;
}
