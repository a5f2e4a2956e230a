import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Orders } from '../src/gen/shop/v1/orders_pb.js';
import { WHY_DENIED } from '../src/welcome/examples.js';
import { type Shop, openShop } from './shop.fixture.js';

const REQUIRES = 'roles: any of admin; permissions: all of orders:write';
const ADA = { id: 'ada', roles: ['customer'] };

describe('the log about a call of the shop that was denied', () => {
  jest.spyOn(console, 'log').mockImplementation(() => {});
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  }, 90_000);
  afterAll(() => shop.close());

  it.each([
    ['ada', 403, { subject: 'ada', denied: 'roles', requires: REQUIRES }],
    ['nobody', 401, { denied: 'anonymous', requires: REQUIRES }],
  ])('says of a request of %s why it is %d, and the answer does not', async (who, status, why) => {
    const id = `rest-${who}`;
    const headers = {
      'content-type': 'application/json',
      'x-request-id': id,
      ...(who === 'ada' && { authorization: await shop.bearer(ADA) }),
    };
    const url = `${shop.http}/v1/orders/1001:cancel`;
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/admin|orders:write/);
    expect(await shop.eventsOf(id)).toEqual([expect.objectContaining({ status, ...why })]);
  });

  it('says the same of a call by gRPC', async () => {
    const authorization = await shop.bearer(ADA);
    const name = 'orders/1001';
    const { details } = await shop.call(Orders.method.cancel, { name }, authorization, 'grpc-ada');
    expect(details).toBe('permission denied');
    const why = { subject: 'ada', denied: 'roles', requires: REQUIRES };
    expect(await shop.eventsOf('grpc-ada')).toEqual([expect.objectContaining(why)]);
  });

  it('is what the first page names', async () => {
    const page = await (await fetch(shop.http)).text();
    expect(page.replaceAll(/\s+/g, ' ')).toContain(WHY_DENIED);
    expect(WHY_DENIED).toMatch(/denied= and requires=/);
  });
});
