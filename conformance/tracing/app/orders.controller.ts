import { setTimeout as sleep } from 'node:timers/promises';
import { CurrentSubject, type Subject } from '@apix/authz';
import { GrpcService } from '@apix/grpc';
import { Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type Observable, count, map } from 'rxjs';
import {
  type CreateOrderRequest,
  type GetOrderRequest,
  type ImportOrdersRequest,
  Orders,
  type WatchOrdersRequest,
} from './gen/shop/v1/orders_pb.js';
import { OrderDesk } from './order-desk.js';

/** What an order is called says what becomes of a call that reads it. */
@GrpcService(Orders)
export class OrdersController {
  #made = 0;

  constructor(@Inject(OrderDesk) private readonly desk: OrderDesk) {}

  async create(@Payload() _request: CreateOrderRequest, @CurrentSubject() who: Subject) {
    const name = `orders/${++this.#made}`;
    await this.desk.place(name, who.id ?? '');
    return { name };
  }

  async get({ name }: GetOrderRequest) {
    if (name === 'orders/broken') throw new TypeError('the order is broken');
    const [, ms] = /slow-(\d+)$/.exec(name) ?? [];
    if (ms !== undefined) await sleep(Number(ms));
    return { name };
  }

  async *watch({ limit }: WatchOrdersRequest) {
    for (let sequence = 1n; ; sequence++) {
      if (limit > 0 && sequence > limit) return;
      yield { sequence };
      await sleep(20);
    }
  }

  import(requests: Observable<ImportOrdersRequest>) {
    return requests.pipe(
      count(),
      map((created) => ({ created })),
    );
  }
}
