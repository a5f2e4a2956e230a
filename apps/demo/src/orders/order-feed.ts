import { create } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { type Observable, Subject } from 'rxjs';
import type { Order } from '../gen/shop/v1/order_pb.js';
import { type OrderEvent, OrderEventSchema } from '../gen/shop/v1/orders_pb.js';

/** The events of orders, sent to everyone who listens at that time. */
export class OrderFeed {
  private readonly news = new Subject<OrderEvent>();
  private sequence = 0n;

  get events(): Observable<OrderEvent> {
    return this.news;
  }

  publish(order: Order): void {
    this.sequence += 1n;
    this.news.next(
      create(OrderEventSchema, { sequence: this.sequence, time: timestampNow(), order }),
    );
  }

  /** Ends every listener's stream. */
  end(): void {
    this.news.complete();
  }
}
