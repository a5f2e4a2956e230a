import { Controller } from '@nestjs/common';
import {
  EventPattern,
  GrpcMethod,
  MessagePattern,
  Payload,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { type Observable, from } from 'rxjs';
import { Staff } from '../guards/staff.decorator.js';
import { Supplier } from '../store/supplier.js';
import type { Order } from './order.js';
import { OrdersService } from './orders.service.js';
import { PlaceOrder } from './place-order.dto.js';

/** The same orders over gRPC, and as messages over Redis. */
@Controller()
export class OrdersRpc {
  constructor(
    private readonly orders: OrdersService,
    private readonly supplier: Supplier,
  ) {}

  @GrpcMethod('Orders', 'Get')
  async get({ id }: { id: string }): Promise<Order> {
    if (id === 'slow') await this.supplier.order('grpc');
    if (id === 'gone') throw new RpcException({ code: 5, message: 'no such order' });
    if (id === 'broken') throw new Error('a secret of the house');
    if (id === 'moon') return this.orders.place({ itemName: id, cents: 1 });
    return this.orders.get(id);
  }

  @GrpcMethod('Orders', 'List')
  list({ count }: { count: number }): Observable<Order> {
    return from(this.orders.list(count));
  }

  @GrpcMethod('Orders', 'Cancel')
  @Staff()
  cancel({ id }: { id: string }): Order {
    return { ...this.orders.get(id), cancelled: true };
  }

  @MessagePattern('orders.place', Transport.REDIS)
  place(@Payload() order: PlaceOrder): Order {
    return this.orders.place(order);
  }

  @MessagePattern('orders.slow', Transport.REDIS)
  slow(@Payload() _order: object): Promise<string> {
    return this.supplier.order('message');
  }

  @EventPattern('orders.shipped', Transport.REDIS)
  async shipped(@Payload() _order: object): Promise<void> {
    await this.supplier.order('event');
  }
}
