import { Code, StatusError } from '@apix/contracts';
import { createClient, type Client, channelOf } from '@apix/grpc-client';
import { fakeClient } from '@apix/grpc/testing';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../../tools/testing/free-port.js';
import { Cashier } from '../src/checkout/cashier.js';
import { Payments } from '../src/gen/shop/payments/v1/payments_pb.js';
import { OrderSchema } from '../src/gen/shop/v1/order_pb.js';

const ORDER = create(OrderSchema, {
  name: 'orders/7',
  customer: 'ada',
  total: { currency: 'EUR', units: 7n },
});
const AWAY = 'UNAVAILABLE: payments cannot be reached; orders/7 is as it was, try again later';

async function answerOf(payments: Client<typeof Payments>): Promise<string> {
  return new Cashier(payments).reserve(ORDER).then(
    () => 'OK',
    ({ code, message }: StatusError) => `${Code[code]}: ${message}`,
  );
}

describe('what a customer hears', () => {
  it.each([
    [
      'payments refuse the state of the order',
      Code.FAILED_PRECONDITION,
      'FAILED_PRECONDITION: theirs',
    ],
    ['payments do not know the order', Code.NOT_FOUND, 'NOT_FOUND: theirs'],
    ['payments are stopping', Code.UNAVAILABLE, AWAY],
    ['payments take too long', Code.DEADLINE_EXCEEDED, AWAY],
    [
      'payments do not take the token of the shop',
      Code.PERMISSION_DENIED,
      'INTERNAL: the payment has failed',
    ],
    ['payments have a bug', Code.INTERNAL, 'INTERNAL: the payment has failed'],
  ])('when %s', async (_when, code, answer) => {
    const reserve = (): never => {
      throw new StatusError(code, 'theirs');
    };
    expect(await answerOf(fakeClient(Payments, { reserve }))).toBe(answer);
  });

  it('when nobody listens where payments were', async () => {
    const client = createClient(Payments, { endpoint: `127.0.0.1:${await freePort()}` });
    expect(await answerOf(client)).toBe(AWAY);
    await channelOf(client).close();
  });
});
