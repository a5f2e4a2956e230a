import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RpcException } from '@nestjs/microservices';
import { throwError } from 'rxjs';
import { OutOfStock } from './out-of-stock.js';

@Catch(OutOfStock)
export class OutOfStockFilter implements ExceptionFilter<OutOfStock> {
  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(exception: OutOfStock, host: ArgumentsHost): unknown {
    if (host.getType<string>() === 'rpc') {
      return throwError(() => new RpcException({ code: 9, message: exception.message }).getError());
    }
    if (host.getType<string>() !== 'http') throw exception;
    const body = { error: 'OUT_OF_STOCK', item: exception.itemName };
    return this.adapters.httpAdapter.reply(host.switchToHttp().getResponse(), body, 409);
  }
}
