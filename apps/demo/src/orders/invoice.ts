import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Money } from '../gen/shop/v1/money_pb.js';
import type { Order } from '../gen/shop/v1/order_pb.js';
import { decimal } from './money.js';

/** An order's invoice as plain text. */
export function invoiceOf(order: Order): string {
  const date = order.createTime ? timestampDate(order.createTime).toISOString().slice(0, 10) : '';
  const lines = order.lines.map(
    ({ product, quantity, unitPrice }) => `${quantity} x ${product} at ${priceOf(unitPrice)}`,
  );
  return [`Invoice for ${order.name}, ${date}`, ...lines, `Total ${priceOf(order.total)}`, ''].join(
    '\n',
  );
}

function priceOf(money: Money | undefined): string {
  return money === undefined ? 'nothing' : `${decimal(money)} ${money.currency}`;
}
