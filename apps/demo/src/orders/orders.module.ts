import { OnStopping } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { Cashier } from '../checkout/cashier.js';
import { CheckoutModule } from '../checkout/checkout.module.js';
import { ProductStore } from '../catalog/product-store.js';
import { OrderDesk } from './order-desk.js';
import { OrderFeed } from './order-feed.js';
import { OrderStore } from './order-store.js';
import { OrdersController } from './orders.controller.js';
import { SalesController } from './sales.controller.js';

@Module({
  imports: [CheckoutModule],
  controllers: [OrdersController, SalesController],
  providers: [
    OrderFeed,
    {
      provide: OrderDesk,
      inject: [OrderStore, ProductStore, OrderFeed, Cashier],
      useFactory: (orders: OrderStore, products: ProductStore, feed: OrderFeed, cashier: Cashier) =>
        new OrderDesk(orders, products, feed, cashier),
    },
  ],
  exports: [OrderFeed],
})
export class OrdersModule {
  constructor(private readonly feed: OrderFeed) {}

  /** Streams without end would hold the drain up until its deadline. */
  @OnStopping()
  endStreams(): void {
    this.feed.end();
  }
}
