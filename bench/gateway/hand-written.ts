import 'reflect-metadata';
import { Controller, Get, Inject, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientGrpc, ClientsModule, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Observable, firstValueFrom } from 'rxjs';
import { announce } from './announce.ts';

interface CatalogClient {
  get(request: { name: string }): Observable<unknown>;
}

/** What people write today: a controller that calls the backend with Nest's own client. */
@Controller('v1')
class Products {
  private readonly catalog: CatalogClient;

  constructor(@Inject('CATALOG') client: ClientGrpc) {
    this.catalog = client.getService<CatalogClient>('Catalog');
  }

  @Get('products/:id')
  get(@Param('id') id: string): Promise<unknown> {
    return firstValueFrom(this.catalog.get({ name: `products/${id}` }));
  }
}

@Module({
  imports: [
    ClientsModule.register([
      {
        name: 'CATALOG',
        transport: Transport.GRPC,
        options: {
          package: 'shop.v1',
          protoPath: process.env['PROTO'] ?? '',
          url: process.env['BACKEND'] ?? '',
          loader: { longs: String },
        },
      },
    ]),
  ],
  controllers: [Products],
})
class HandWritten {}

const express = process.env['PLATFORM'] === 'express';
const adapter = express ? new ExpressAdapter() : new FastifyAdapter();
const app = await NestFactory.create(HandWritten, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer());
