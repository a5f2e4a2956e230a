import type { Page } from 'playwright-core';
import type { ShopProcess } from '../../apps/demo/tour/shop-process.js';

const ORDER = { lines: [{ product: 'products/tea', quantity: 2 }], address: '1 Mill Lane, Bath' };

/** What happens in the shop before each picture is taken: the same in every run. */
export class Scene {
  constructor(
    readonly page: Page,
    private readonly address: string,
    private readonly shop: { readonly http: string; readonly token: string },
  ) {}

  /** What is done for each picture, by its name. */
  acts(shop: ShopProcess): readonly (readonly [string, () => Promise<void>])[] {
    return [
      ['host-page', () => this.#host(shop)],
      ['host-page-request', () => this.#request()],
      ['docs-page', () => this.#docs()],
      ['docs-page-answer', () => this.#answer()],
    ];
  }

  /** Orders, one that is refused, a crash, a restart and a reload. */
  async #host(shop: ShopProcess): Promise<void> {
    for (let i = 0; i < 5; i++) await this.#call('POST', '/v1/orders', ORDER);
    await this.#call('GET', '/v1/products');
    const restarted = shop.said(/outbox is ready after/);
    await this.#call('POST', '/outbox/crash');
    await restarted;
    await this.page.goto(`http://${this.address}/host`);
    await this.page.locator('#readiness', { hasText: /^ready for traffic$/ }).waitFor();
    await shop.setLevel('information');
    await this.page
      .locator('#events tr', { hasText: /reloaded .+ after/ })
      .first()
      .waitFor();
    // The plots have room for a line.
    await this.page.waitForTimeout(20_000);
  }

  async #request(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Traces' }).click();
    const row = this.page.locator('#slowest tr', { hasText: 'POST /v1/orders' });
    await row.first().getByRole('button').click();
    await this.page.locator('#spans tr').nth(2).waitFor();
    await this.page.locator('#trace').scrollIntoViewIfNeeded();
  }

  async #docs(): Promise<void> {
    await this.page.goto(`http://${this.address}/docs`);
    await this.page.waitForSelector('.opblock');
  }

  async #answer(): Promise<void> {
    const { page } = this;
    await page.click('.auth-wrapper .btn.authorize');
    await page.fill('.modal-ux input', this.shop.token);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    const create = page.locator('[id="operations-Orders-Orders_Create"]');
    await create.locator('.opblock-summary-control').click();
    await create.getByRole('button', { name: 'Try it out' }).click();
    await create.getByRole('button', { name: 'Execute' }).click();
    await create.locator('.live-responses-table .response').waitFor();
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(this.shop.http + path, {
      method,
      headers: {
        authorization: `Bearer ${this.shop.token}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  }
}
