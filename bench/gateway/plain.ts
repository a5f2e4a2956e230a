// Controllers on Fastify without a gateway: `plain` answers by itself, as who has no gRPC would
// write it; `forward` calls the backend with Nest's own client.
import 'reflect-metadata';
import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Module,
  Param,
  Post,
  Query,
  StreamableFile,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientGrpc, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Observable, firstValueFrom } from 'rxjs';
import { type Answers, answersIn } from '../grpc/answers.ts';
import { announce } from './announce.ts';

type Fields = Readonly<Record<string, string>>;
interface Products {
  readonly products: readonly unknown[];
}

const NDJSON = { type: 'application/x-ndjson' };

async function* lines(products: Iterable<unknown> | AsyncIterable<unknown>) {
  for await (const result of products) yield `${JSON.stringify({ result })}\n`;
}

@Controller('v1')
class Plain {
  private readonly answers: Answers = answersIn((_, document) => document as object);

  @Get('products/:id')
  get(@Param('id') id: string): object {
    return { ...this.answers.product, name: `products/${id}` };
  }

  @Get('products')
  list(@Query('items') items: string): object {
    return this.answers.products(Number(items));
  }

  @Get('maps')
  maps(@Query('items') items: string): object {
    return this.answers.maps(Number(items));
  }

  @Post('products')
  @HttpCode(200)
  put(@Body() { products }: Products): object {
    return { items: products.length };
  }

  @Get('stream')
  watch(@Query('items') items: string): StreamableFile {
    const products = Array.from({ length: Number(items) }, () => this.answers.product);
    return new StreamableFile(Readable.from(lines(products)), NDJSON);
  }
}

interface ShopClient {
  get(request: object): Observable<object>;
  list(request: object): Observable<object>;
  mapped(request: object): Observable<object>;
  put(request: object): Observable<object>;
  watch(request: object): Observable<object>;
}

@Controller('v1')
class Forward {
  private readonly shop: ShopClient;

  constructor(@Inject('SHOP') client: ClientGrpc) {
    this.shop = client.getService<ShopClient>('Shop');
  }

  @Get('products/:id')
  get(@Param('id') id: string, @Query() query: Fields): Promise<object> {
    const { limit } = query;
    const request = { ...query, ...(limit !== undefined && { limit: Number(limit) }) };
    return firstValueFrom(this.shop.get({ ...request, name: `products/${id}` }));
  }

  @Get('products')
  list(@Query('items') items: string): Promise<object> {
    return firstValueFrom(this.shop.list({ items: Number(items) }));
  }

  @Get('maps')
  maps(@Query('items') items: string): Promise<object> {
    return firstValueFrom(this.shop.mapped({ items: Number(items) }));
  }

  @Post('products')
  @HttpCode(200)
  put(@Body() body: Products): Promise<object> {
    return firstValueFrom(this.shop.put(body));
  }

  @Get('stream')
  watch(@Query('items') items: string): StreamableFile {
    const answers = this.shop.watch({ items: Number(items) });
    const results = new Readable({ read: () => {} });
    answers.subscribe({
      next: (result) => results.push(`${JSON.stringify({ result })}\n`),
      error: (error: Error) => results.destroy(error),
      complete: () => results.push(null),
    });
    return new StreamableFile(results, NDJSON);
  }
}

@Module({ controllers: [Plain] })
class PlainModule {}

@Module({
  imports: [
    ClientsModule.register([
      {
        name: 'SHOP',
        transport: Transport.GRPC,
        options: {
          package: 'bench.shapes',
          protoPath: process.env['SHAPES_PROTO'] ?? '',
          url: process.env['BACKEND'] ?? '',
          loader: { longs: String, enums: String },
        },
      },
    ]),
  ],
  controllers: [Forward],
})
class ForwardModule {}

const module = process.env['ROLE'] === 'plain' ? PlainModule : ForwardModule;
const adapter = new FastifyAdapter({ bodyLimit: 4 * 2 ** 20 });
const app = await NestFactory.create(module, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer());
