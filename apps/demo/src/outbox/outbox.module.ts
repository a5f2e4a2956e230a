import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.js';
import { OutboxController } from './outbox.controller.js';
import { Outbox } from './outbox.js';

@Module({ imports: [OrdersModule], controllers: [OutboxController], providers: [Outbox] })
export class OutboxModule {}
