import { Args, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Staff } from '../guards/staff.decorator.js';
import { Order } from './order.js';
import { OrdersService } from './orders.service.js';
import { PlaceOrder } from './place-order.dto.js';

@Resolver(() => Order)
export class OrdersResolver {
  constructor(private readonly orders: OrdersService) {}

  @Query(() => Order)
  order(@Args('id') id: string): Order {
    return this.orders.get(id);
  }

  @Query(() => Number)
  @Staff()
  margin(): number {
    return 12;
  }

  @Mutation(() => Order)
  place(@Args('order') order: PlaceOrder): Order {
    return this.orders.place(order);
  }

  @Subscription(() => Order)
  async *placed(): AsyncGenerator<{ placed: Order }> {
    for (const placed of this.orders.list(2)) yield await Promise.resolve({ placed });
  }
}
