import { create } from '@bufbuild/protobuf';
import { Code, StatusError, stagedCallOf } from '@apix/contracts';
import { GrpcService } from '@apix/grpc';
import { InjectLogger, type Logger, addToRequest } from '@apix/logx';
import type { Metadata } from '@grpc/grpc-js';
import { Inject } from '@nestjs/common';
import {
  type GetRequest,
  type Payment,
  PaymentSchema,
  PaymentState,
  Payments,
  type RefundRequest,
  type ReleaseRequest,
  type ReserveRequest,
} from '../gen/shop/payments/v1/payments_pb.js';
import type { Money } from '../gen/shop/v1/money_pb.js';
import { decimal, exceeds, isSame } from '../orders/money.js';
import { Bank } from './bank.js';
import { PaymentStore } from './payment-store.js';

const { RESERVED, RELEASED, REFUNDED } = PaymentState;

/** shop.payments.v1.Payments. Each of its methods can be called again: an order has one payment. */
@GrpcService(Payments)
export class PaymentsController {
  constructor(
    @Inject(PaymentStore) private readonly payments: PaymentStore,
    @Inject(Bank) private readonly bank: Bank,
    @InjectLogger('Payments') private readonly logger: Logger,
  ) {}

  async reserve({ order, customer, amount }: ReserveRequest, metadata: Metadata): Promise<Payment> {
    const { signal, deadline = Infinity } = stagedCallOf(metadata)!;
    // What the shop has left for it, which is less than the shop's own caller gave.
    if (deadline !== Infinity) addToRequest({ leftMs: deadline - Date.now() });
    const name = nameOf(order);
    const known = await this.payments.find(name);
    if (known?.state === RESERVED && isSame(known.amount, amount)) return known;
    if (known !== undefined) expect(known, RESERVED);
    await this.approve(name, amount!, signal);
    const payment = create(PaymentSchema, { name, customer, amount: amount!, state: RESERVED });
    await this.keep(payment);
    this.logger.information('Reserved {Amount} {Currency} as {Payment}', ...shown(payment), name);
    return payment;
  }

  async release({ order }: ReleaseRequest): Promise<Payment> {
    const payment = await this.known(nameOf(order));
    if (payment.state === RELEASED) return payment;
    expect(payment, RESERVED);
    payment.state = RELEASED;
    return this.keep(payment);
  }

  async refund({ order, amount }: RefundRequest): Promise<Payment> {
    const payment = await this.known(nameOf(order));
    if (payment.state === REFUNDED && isSame(payment.refunded, amount)) return payment;
    expect(payment, RESERVED);
    if (amount?.currency !== payment.amount?.currency || exceeds(amount!, payment.amount!)) {
      throw new StatusError(Code.FAILED_PRECONDITION, `${payment.name} is not that much`);
    }
    payment.state = REFUNDED;
    payment.refunded = amount!;
    return this.keep(payment);
  }

  get({ name }: GetRequest): Promise<Payment> {
    return this.known(name);
  }

  private async known(name: string): Promise<Payment> {
    const payment = await this.payments.find(name);
    if (payment === undefined) throw new StatusError(Code.NOT_FOUND, `there is no ${name}`);
    return payment;
  }

  private async keep(payment: Payment): Promise<Payment> {
    if (await this.payments.put(payment, RESERVED)) return payment;
    throw new StatusError(Code.ABORTED, `${payment.name} has changed meanwhile`);
  }

  private async approve(name: string, amount: Money, signal: AbortSignal): Promise<void> {
    this.logger.information('The bank is asked for {Payment}', name);
    try {
      await this.bank.approve(amount, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      this.logger.information('The bank was told to forget {Payment}: the caller has gone', name);
      throw new StatusError(Code.CANCELLED, `nothing is reserved as ${name}`, { cause: error });
    }
  }
}

/** One payment for each order, so that the name of the order is the key of the call. */
function nameOf(order: string): string {
  return order.replace(/^orders/, 'payments');
}

function expect({ name, state }: Payment, wanted: PaymentState): void {
  if (state === wanted) return;
  const is = PaymentState[state].toLowerCase();
  throw new StatusError(Code.FAILED_PRECONDITION, `${name} is ${is}`);
}

function shown({ amount }: Payment): [string, string] {
  return amount === undefined ? ['0.00', ''] : [decimal(amount), amount.currency];
}
