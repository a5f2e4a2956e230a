import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { Code, StatusError } from '@apix/contracts';
import { CurrentFilter, CurrentSubject, type ListFilter, type Subject } from '@apix/authz';
import { GrpcService } from '@apix/grpc';
import { Payload } from '@nestjs/microservices';
import { type Observable, concatMap, filter, from, map, reduce, take } from 'rxjs';
import { HttpBodySchema } from '../gen/google/api/httpbody_pb.js';
import type { Order } from '../gen/shop/v1/order_pb.js';
import {
  type CancelOrderRequest,
  type CreateOrderRequest,
  type DeleteOrderRequest,
  type GetInvoiceRequest,
  type GetOrderRequest,
  type ImportOrdersRequest,
  ImportOrdersResponseSchema,
  type ListOrdersRequest,
  ListOrdersResponseSchema,
  type OrderEvent,
  Orders,
  type RefundOrderRequest,
  RefundOrderResponseSchema,
  type UpdateOrderRequest,
  type WatchOrdersRequest,
} from '../gen/shop/v1/orders_pb.js';
import { invoiceOf } from './invoice.js';
import { OrderDesk } from './order-desk.js';
import { OrderFeed } from './order-feed.js';
import { OrderStore } from './order-store.js';

const DEFAULT_PAGE = 20;

/** shop.v1.Orders. Who may call what is said in orders.proto, nowhere here. */
@GrpcService(Orders)
export class OrdersController {
  constructor(
    private readonly desk: OrderDesk,
    private readonly orders: OrderStore,
    private readonly feed: OrderFeed,
  ) {}

  get({ name }: GetOrderRequest): Promise<Order> {
    return this.orders.get(name);
  }

  async list(
    @Payload() request: ListOrdersRequest,
    @CurrentFilter() visible: ListFilter,
  ): Promise<MessageInitShape<typeof ListOrdersResponseSchema>> {
    const { customer, states, createdSince } = request;
    const offset = offsetOf(request.pageToken);
    const size = request.pageSize || DEFAULT_PAGE;
    const page = await this.orders.list({ customer, states, createdSince, visible }, size, offset);
    const end = offset + page.orders.length;
    return create(ListOrdersResponseSchema, {
      orders: page.orders,
      totalSize: page.total,
      nextPageToken: BigInt(end) < page.total ? String(end) : '',
    });
  }

  create(
    @Payload() { order, validateOnly, idempotencyKey }: CreateOrderRequest,
    @CurrentSubject() who: Subject,
  ): Promise<Order> {
    return this.desk.place(required(order), who.id ?? '', { validateOnly, idempotencyKey });
  }

  update({ order, updateMask }: UpdateOrderRequest): Promise<Order> {
    return this.desk.update(required(order), updateMask);
  }

  cancel({ name }: CancelOrderRequest): Promise<Order> {
    return this.desk.cancel(name);
  }

  async refund({ name, amount }: RefundOrderRequest) {
    return create(RefundOrderResponseSchema, await this.desk.refund(name, amount));
  }

  async delete({ name }: DeleteOrderRequest) {
    await this.orders.remove(name);
    return create(EmptySchema);
  }

  async getInvoice({ name }: GetInvoiceRequest) {
    const text = invoiceOf(await this.orders.get(name));
    return create(HttpBodySchema, { contentType: 'text/plain', data: Buffer.from(text) });
  }

  watch({ customer, limit }: WatchOrdersRequest): Observable<OrderEvent> {
    const news = this.feed.events.pipe(
      filter(({ order }) => customer === '' || order?.customer === customer),
    );
    return limit > 0 ? news.pipe(take(limit)) : news;
  }

  import(@Payload() requests: Observable<ImportOrdersRequest>, @CurrentSubject() who: Subject) {
    return requests.pipe(
      concatMap(({ order }) => from(this.desk.place(required(order), who.id ?? ''))),
      reduce((names, { name }) => [...names, name], [] as string[]),
      map((names) => create(ImportOrdersResponseSchema, { created: names.length, names })),
    );
  }
}

function required(order: Order | undefined): Order {
  if (order === undefined) throw new StatusError(Code.INVALID_ARGUMENT, 'order is missing');
  return order;
}

/** Page tokens are offsets in clear; callers should treat them as opaque all the same. */
function offsetOf(pageToken: string): number {
  if (/^\d{0,9}$/.test(pageToken)) return Number(pageToken);
  throw new StatusError(Code.INVALID_ARGUMENT, 'page_token is not one that this method gave');
}
