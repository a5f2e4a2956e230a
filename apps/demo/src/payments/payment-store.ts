import { type JsonValue, fromJson, toJson } from '@bufbuild/protobuf';
import {
  type Payment,
  PaymentSchema,
  type PaymentState,
} from '../gen/shop/payments/v1/payments_pb.js';
import type { Database } from '../store/database.js';

type PaymentRow = { readonly body: JsonValue };

/** Payments, one for each order, kept as their ProtoJSON. */
export class PaymentStore {
  constructor(private readonly db: Database) {}

  async find(name: string): Promise<Payment | undefined> {
    const rows = await this.db.query<PaymentRow>('select body from payments where name = $1', [
      name,
    ]);
    return rows.map(({ body }) => fromJson(PaymentSchema, body))[0];
  }

  /**
   * Makes a payment, or replaces one that is in the state `from`. One statement, so that of two calls at the
   * same time the second sees what the first has done.
   *
   * @returns whether it did.
   */
  async put(payment: Payment, from: PaymentState): Promise<boolean> {
    const kept = await this.db.query(
      `insert into payments (name, state, body) values ($1, $2, $3)
       on conflict (name) do update set state = $2, body = $3 where payments.state = $4
       returning name`,
      [payment.name, payment.state, JSON.stringify(toJson(PaymentSchema, payment)), from],
    );
    return kept.length > 0;
  }
}
