import { clone, create } from '@bufbuild/protobuf';
import { type FieldMask, timestampNow } from '@bufbuild/protobuf/wkt';
import { Code, StatusError } from '@apix/contracts';
import type { Cashier } from '../checkout/cashier.js';
import type { ProductStore } from '../catalog/product-store.js';
import type { Money } from '../gen/shop/v1/money_pb.js';
import { type Order, OrderLineSchema, OrderSchema, OrderState } from '../gen/shop/v1/order_pb.js';
import { orderName } from './order-name.js';
import { exceeds, sum, times } from './money.js';
import type { OrderFeed } from './order-feed.js';
import type { OrderStore } from './order-store.js';
import { replaceFields } from './replace-fields.js';

/** What a caller may change of an order that is there; the rest is the shop's. */
const CHANGEABLE = ['lines', 'address', 'pickup_point', 'note', 'labels', 'phone'];

/** The operations on orders, for any caller and any protocol. */
export class OrderDesk {
  constructor(
    private readonly orders: OrderStore,
    private readonly products: ProductStore,
    private readonly feed: OrderFeed,
    private readonly cashier: Cashier,
  ) {}

  /**
   * Prices an order, has it paid and keeps it; with `validateOnly` it is priced alone. With a key that came before
   * it is the order that was made then.
   */
  async place(
    draft: Order,
    customer: string,
    { validateOnly = false, idempotencyKey = '' } = {},
  ): Promise<Order> {
    const name = orderName(customer, idempotencyKey);
    const known = idempotencyKey === '' ? undefined : await this.orders.find(name);
    if (known !== undefined) return known;
    const order = await this.price(draft);
    order.name = name;
    order.customer = customer;
    order.state = OrderState.PLACED;
    order.createTime = timestampNow();
    if (validateOnly) return order;
    // First, because it can be done again: if a later step fails, the same request with the same key completes it.
    await this.cashier.reserve(order);
    order.updateTime = timestampNow();
    if (!(await this.orders.add(order))) return this.orders.get(name);
    this.feed.publish(order);
    return order;
  }

  /** Replaces the fields that the mask names, or without one those that `changes` sets. */
  async update(changes: Order, mask: FieldMask | undefined): Promise<Order> {
    const order = await this.orders.get(changes.name);
    expectPlaced(order, 'changed');
    replaceFields(OrderSchema, order, changes, mask, CHANGEABLE);
    const priced = await this.price(order);
    await this.cashier.reserve(priced);
    return this.keep(priced);
  }

  /** Cancels an order; repeating the call changes nothing. */
  async cancel(name: string): Promise<Order> {
    const order = await this.orders.get(name);
    if (order.state === OrderState.CANCELLED) return order;
    expectPlaced(order, 'called off');
    await this.cashier.release(name);
    order.state = OrderState.CANCELLED;
    return this.keep(order);
  }

  /** Returns `amount`, or everything; never more than was paid, and only once. */
  async refund(
    name: string,
    amount: Money | undefined,
  ): Promise<{ order: Order; refunded: Money }> {
    const order = await this.orders.get(name);
    const paid = order.total;
    if (paid === undefined || order.state === OrderState.REFUNDED) {
      throw new StatusError(Code.FAILED_PRECONDITION, `${name} has nothing left to refund`);
    }
    const refunded = amount ?? paid;
    if (refunded.currency !== paid.currency || exceeds(refunded, paid)) {
      throw new StatusError(Code.INVALID_ARGUMENT, `${name} was not paid with that much`);
    }
    await this.cashier.refund(name, refunded);
    order.state = OrderState.REFUNDED;
    return { order: await this.keep(order), refunded };
  }

  private async price(draft: Order): Promise<Order> {
    const order = clone(OrderSchema, draft);
    order.lines = await Promise.all(
      draft.lines.map(async ({ product, quantity }) => {
        const { price } = await this.products.get(product);
        return create(OrderLineSchema, { product, quantity, ...(price && { unitPrice: price }) });
      }),
    );
    order.total = sum(
      order.lines.flatMap((line) => (line.unitPrice ? [times(line.unitPrice, line.quantity)] : [])),
    );
    return order;
  }

  private async keep(order: Order): Promise<Order> {
    order.updateTime = timestampNow();
    await this.orders.put(order);
    this.feed.publish(order);
    return order;
  }
}

function expectPlaced({ name, state }: Order, wish: string): void {
  if (state === OrderState.PLACED) return;
  throw new StatusError(
    Code.FAILED_PRECONDITION,
    `${name} is ${OrderState[state].toLowerCase()} and can no longer be ${wish}`,
  );
}
