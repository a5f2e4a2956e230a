import {
  Body,
  ConflictException,
  Controller,
  Get,
  Header,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Sse,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Observable, of } from 'rxjs';
import { Staff } from '../guards/staff.decorator.js';
import { Supplier } from '../store/supplier.js';
import { CountedInterceptor } from './counted.interceptor.js';
import { Order } from './order.js';
import { OrdersService } from './orders.service.js';
import { PlaceOrder } from './place-order.dto.js';

@ApiTags('orders')
@Controller('orders')
@UseInterceptors(CountedInterceptor)
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly supplier: Supplier,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  list(@Query('count', ParseIntPipe) count: number): Order[] {
    return this.orders.list(count);
  }

  @Get('slow')
  slow(): Promise<string> {
    return this.supplier.order('request');
  }

  @Get('broken')
  broken(): never {
    throw new Error('a secret of the house');
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictException({ statusCode: 409, message: 'twice', errorCode: 'E-17' });
  }

  @Sse('events')
  events(): Observable<{ data: object }> {
    return of({ data: { n: 1 } }, { data: { n: 2 } });
  }

  @Get('secret')
  @Staff()
  secret(): object {
    return { margin: 12 };
  }

  @Get(':id')
  @ApiOkResponse({ type: Order })
  get(@Param('id') id: string): Order {
    return this.orders.get(id);
  }

  @Post()
  place(@Body() order: PlaceOrder): Order {
    return this.orders.place(order);
  }
}
