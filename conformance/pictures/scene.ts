import type { Page } from 'playwright-core';
import type { ShopProcess } from '../../apps/demo/tour/shop-process.js';

const ORDER = { lines: [{ product: 'products/tea', quantity: 2 }], address: '1 Mill Lane, Bath' };
const CREATE = '/shop.v1.Orders/Create';
const CANCEL = '/shop.v1.Orders/Cancel';
/** Why the shop refuses an order of this product. */
const UNKNOWN = { ...ORDER, lines: [{ product: 'products/unknown', quantity: 1 }] };

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
      ['host-page-logs', () => this.#logs()],
      ['host-page-request', () => this.#request()],
      ['host-page-policies', () => this.#policies()],
      ['host-page-call', () => this.#callTab()],
      ['host-page-jobs', () => this.#jobs()],
      ['docs-page', () => this.#docs()],
      ['docs-page-answer', () => this.#answer()],
    ];
  }

  /** Orders, one that is refused, a crash, a restart and a reload. */
  async #host(shop: ShopProcess): Promise<void> {
    await this.#orders();
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
    // The plots have room for a line, and those of routes for some moments.
    for (let i = 0; i < 4; i++) {
      await this.#orders();
      await this.page.waitForTimeout(5_000);
    }
  }

  async #logs(): Promise<void> {
    await this.#open('Logs');
    // The log is followed once somebody looks.
    await this.page.waitForTimeout(1_000);
    await this.#orders();
    await this.page.locator('#logs tr', { hasText: '/v1/orders -> 200' }).nth(4).waitFor();
  }

  /** From an event of the log to its trace, by its link. */
  async #request(): Promise<void> {
    const row = this.page.locator('#logs tr', { hasText: '/v1/orders -> 404' });
    await row.first().getByRole('link', { name: 'POST /v1/orders' }).click();
    await this.page.locator('#spans tr').nth(1).waitFor();
    await this.page.locator('#trace-events tr', { hasText: '/v1/orders -> 404' }).waitFor();
    await this.page.locator('#trace').scrollIntoViewIfNeeded();
  }

  async #policies(): Promise<void> {
    const { page } = this;
    await this.#open('Policies');
    await page.locator('#methods tr', { hasText: CANCEL }).getByRole('button').click();
    await page.fill('#caller-roles', 'customer');
    await page.locator('#explained-verdict', { hasText: 'denied' }).waitFor();
    await this.#orders();
    await page.locator('#decisions tr', { hasText: CREATE }).first().waitFor();
  }

  async #callTab(): Promise<void> {
    const { page } = this;
    await this.#open('Call');
    await page.locator('#callables').getByRole('button', { name: CREATE, exact: true }).click();
    await page.locator('#call-way option', { hasText: 'gRPC-Web' }).waitFor({ state: 'attached' });
    await page.fill('#call-token', this.shop.token);
    await page.fill('#call-body', JSON.stringify(ORDER, undefined, 2));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#call-status', { hasText: /^status 200/ }).waitFor();
  }

  async #jobs(): Promise<void> {
    const { page } = this;
    await this.#open('Jobs');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.locator('#jobs-said', { hasText: /./ }).waitFor();
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

  async #open(tab: string): Promise<void> {
    await this.page.getByRole('tab', { name: tab, exact: true }).click();
    await this.page.getByRole('tabpanel', { name: tab }).waitFor();
  }

  /** Orders and a look at the products, by somebody who may, and one order that is refused. */
  async #orders(): Promise<void> {
    for (let i = 0; i < 5; i++) await this.#call('POST', '/v1/orders', ORDER);
    await this.#call('GET', '/v1/products');
    await this.#call('POST', '/v1/orders', UNKNOWN, [400, 404]);
  }

  /** @param refusals further statuses that are right. Default: none. */
  async #call(
    method: string,
    path: string,
    body?: object,
    refusals: readonly number[] = [],
  ): Promise<void> {
    const response = await fetch(this.shop.http + path, {
      method,
      headers: {
        authorization: `Bearer ${this.shop.token}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok && !refusals.includes(response.status))
      throw new Error(`${method} ${path} was answered with ${response.status}`);
  }
}
