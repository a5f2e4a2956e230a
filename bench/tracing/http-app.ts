// The app of Nest 12, ESM, on Fastify: `node http-app.mjs untraced|sampled|unsampled`.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serving, tracing } from './traced.ts';

@Controller('orders')
class OrdersController {
  @Get(':id')
  find(@Param('id') id: string): object {
    return { id, lines: [{ sku: 'A-1', count: 2 }], total: 41.5 };
  }
}

@Module({ imports: tracing(process.argv[2]), controllers: [OrdersController] })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
serving((app.getHttpServer().address() as AddressInfo).port);
