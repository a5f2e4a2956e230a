import { Module } from '@nestjs/common';
import { OrdersController } from './orders.controller.js';
import { OrdersResolver } from './orders.resolver.js';
import { OrdersRpc } from './orders.rpc.js';
import { OrdersService } from './orders.service.js';

@Module({ controllers: [OrdersController, OrdersRpc], providers: [OrdersService, OrdersResolver] })
export class OrdersModule {}
