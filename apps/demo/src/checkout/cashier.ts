import { Code, StatusError, isStatusError } from '@apix/contracts';
import { type Client, InjectClient } from '@apix/grpc-client';
import { Injectable } from '@nestjs/common';
import { Payments } from '../gen/shop/payments/v1/payments_pb.js';
import type { Money } from '../gen/shop/v1/money_pb.js';
import type { Order } from '../gen/shop/v1/order_pb.js';

/** Statuses of payments that callers of the shop may see with their original message. */
const FOR_CALLERS: readonly Code[] = [
  Code.FAILED_PRECONDITION,
  Code.NOT_FOUND,
  Code.ABORTED,
  Code.CANCELLED,
];

/** Handles the money of orders, through payments. */
@Injectable()
export class Cashier {
  constructor(@InjectClient(Payments) private readonly payments: Client<typeof Payments>) {}

  /** Reserves what an order costs; the same again changes nothing. */
  async reserve({ name, customer, total }: Order): Promise<void> {
    await answerOf(name, this.payments.reserve({ order: name, customer, amount: total! }));
  }

  /** Gives up what is reserved. */
  async release(order: string): Promise<void> {
    await answerOf(order, this.payments.release({ order }));
  }

  async refund(order: string, amount: Money): Promise<void> {
    await answerOf(order, this.payments.refund({ order, amount }));
  }
}

/** @throws StatusError that a caller of the shop can do something about, or else INTERNAL. */
async function answerOf<T>(order: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const code = isStatusError(error) ? error.code : Code.INTERNAL;
    if (FOR_CALLERS.includes(code)) throw error;
    if (code === Code.UNAVAILABLE || code === Code.DEADLINE_EXCEEDED) {
      const text = `payments cannot be reached; ${order} is as it was, try again later`;
      throw new StatusError(Code.UNAVAILABLE, text, { cause: error });
    }
    // Such as a token that payments do not take: the customer has done nothing wrong.
    throw new StatusError(Code.INTERNAL, 'the payment has failed', { cause: error });
  }
}
