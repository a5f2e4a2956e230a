import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, count, from, map } from 'rxjs';
import type { Answers } from './answers.ts';

export const ANSWERS = 'answers';

/** The same handlers on Nest's own transport and on that of apix. */
@Controller()
export class ShopController {
  constructor(@Inject(ANSWERS) private readonly answers: Answers) {}

  @GrpcMethod('Shop', 'Get')
  get({ name }: { name: string }): object {
    return { ...this.answers.product, name };
  }

  @GrpcMethod('Shop', 'List')
  list({ items }: { items: number }): object {
    return this.answers.products(items);
  }

  @GrpcMethod('Shop', 'Mapped')
  mapped({ items }: { items: number }): object {
    return this.answers.maps(items);
  }

  @GrpcMethod('Shop', 'Put')
  put({ products }: { products: unknown[] }): object {
    return this.answers.amount(products.length);
  }

  @GrpcMethod('Shop', 'Watch')
  watch({ items }: { items: number }): Observable<object> {
    return from(Array.from({ length: items }, () => this.answers.product));
  }

  @GrpcStreamMethod('Shop', 'Upload')
  upload(products: Observable<unknown>): Observable<object> {
    return products.pipe(
      count(),
      map((items) => this.answers.amount(items)),
    );
  }

  @GrpcStreamMethod('Shop', 'Chat')
  chat(products: Observable<unknown>): Observable<unknown> {
    return products;
  }
}
