import { Code } from '@apix/contracts';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Orders } from '../src/gen/shop/v1/orders_pb.js';
import { type Shop, openShop } from './shop.fixture.js';

/** An order whose second line breaks two rules. */
const ORDER = {
  lines: [
    { product: 'products/tea', quantity: 2 },
    { product: 'tea', quantity: 0 },
  ],
};

const MISTAKES = [
  {
    field: 'order.lines[1].product',
    detail: 'does not match regex pattern `^products/[a-z0-9-]+$`',
    reason: 'string.pattern',
  },
  {
    field: 'order.lines[1].quantity',
    detail: 'must be greater than 0 and less than or equal to 1000',
    reason: 'int32.gt_lte',
  },
];

describe('the shop answers a request that breaks rules', () => {
  let shop: Shop;
  let authorization: string;

  beforeAll(async () => {
    jest.spyOn(console, 'log').mockImplementation(() => {});
    shop = await openShop();
    authorization = await shop.bearer({
      id: 'ada',
      roles: ['staff'],
      permissions: ['orders:write'],
    });
  });
  afterAll(() => shop.close());

  function post(headers: Record<string, string>): Promise<Response> {
    return fetch(`${shop.http}/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(ORDER),
    });
  }

  it('over REST with 400 and all the fields that break them', async () => {
    const response = await post({ authorization });
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'INVALID_ARGUMENT',
      errors: MISTAKES,
    });
  });

  it.each([
    ['a request', Orders.method.create],
    ['one message of a stream', Orders.method.import],
  ])('over gRPC with INVALID_ARGUMENT and the details, for %s', async (_, method) => {
    const { code, metadata } = await shop.call(method, { order: ORDER }, authorization);
    expect(code).toBe(Code.INVALID_ARGUMENT);
    const [details] = metadata.get('grpc-status-details-bin');
    for (const { field, reason } of MISTAKES) {
      expect(String(details)).toContain(field);
      expect(String(details)).toContain(reason);
    }
  });

  it('over gRPC with a status where a map key of emoji is cut in the message', async () => {
    const order = { lines: [ORDER.lines[0]!], labels: { ['😀'.repeat(100)]: 'x' } };
    const answer = await shop.call(Orders.method.create, { order }, authorization);
    expect(answer.code).toBe(Code.INVALID_ARGUMENT);
    const again = await shop.call(Orders.method.create, { order: ORDER }, authorization);
    expect(again.code).toBe(Code.INVALID_ARGUMENT);
  });

  it('with nothing of the rules where the caller may not ask at all', async () => {
    const response = await post({});
    expect(response.status).toBe(401);
    expect(await response.json()).not.toHaveProperty('errors');
    expect((await shop.call(Orders.method.create, { order: ORDER })).code).toBe(
      Code.UNAUTHENTICATED,
    );
  });
});
