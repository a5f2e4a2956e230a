import 'reflect-metadata';
import { GrpcClientModule } from '@apix/grpc-client';
import { LogxModule, addToRequest, fromContext } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { TracingModule, addToSpan } from '@apix/otel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type DynamicModule, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeAdapter } from '../../../tools/testing/node-adapter/node-adapter.js';

const REQUEST = '{Method} {Path} -> {Status}';
const CALLER = 'b7ad6b7169203331';
const TRACEPARENT = `00-0af7651916cd43dd8448eb211c80319c-${CALLER}-01`;

@Controller('orders')
class Orders {
  @Get(':id')
  find() {
    fromContext().information('outer');
    addToRequest({ tenant: 'acme' });
    addToSpan({ 'app.tenant': 'acme' });
    return trace.getTracer('shop').startActiveSpan('query', (span) => {
      fromContext().information('inner');
      span.end();
      return {};
    });
  }
}

@Controller('broken')
class Broken {
  @Get()
  find(): never {
    throw new RangeError('no such page');
  }
}

let app: INestApplication;
afterEach(() => app.close());

const exporter = new InMemorySpanExporter();
const ended: ReadableSpan[] = [];
exporter.shutdown = async () => void ended.push(...exporter.getFinishedSpans());

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

const ORDERS = [
  ['tracing first', (modules: DynamicModule[]) => modules],
  ['tracing last', (modules: DynamicModule[]) => modules.toReversed()],
] as const;

describe.each(PLATFORMS)('events and spans of one request on %s', (_, adapter) => {
  it.each(ORDERS)('have the same ids: %s', async (_order, arranged) => {
    ended.length = 0;
    exporter.reset();
    const logged = collectingSink();
    @Module({
      imports: arranged([
        TracingModule.forRoot({ exporter }),
        LogxModule.forRoot({ sinks: [logged] }),
        GrpcClientModule.forRoot(),
      ]),
      controllers: [Orders, Broken],
    })
    class Shop {}
    app = await NestFactory.create(Shop, adapter(), { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const headers = { traceparent: TRACEPARENT, 'x-request-id': 'r-17' };
    await (await fetch(`http://127.0.0.1:${port}/orders/17`, { headers })).text();
    while (logged.withTemplate(REQUEST).count === 0) await new Promise(setImmediate);
    const event = logged.withTemplate(REQUEST).only();
    await (await fetch(`http://127.0.0.1:${port}/broken`)).text();
    while (logged.withTemplate(REQUEST).count === 1) await new Promise(setImmediate);
    await app.close();
    const failed = ended.splice(
      ended.findIndex(({ name }) => name === 'GET /broken'),
      1,
    )[0]!;
    expect(failed.events.map(({ attributes }) => attributes?.['exception.type'])).toEqual([
      'RangeError',
    ]);
    const [query, request] = ended.toSorted((a, b) => (a.name < b.name ? 1 : -1)) as [
      ReadableSpan,
      ReadableSpan,
    ];
    expect([request.name, request.parentSpanContext?.spanId]).toEqual(['GET /orders/:id', CALLER]);
    expect(request.attributes).toMatchObject({ 'apix.request.id': 'r-17', 'app.tenant': 'acme' });
    const of = (template: string): unknown => logged.withTemplate(template).only()['span_id'];
    expect([of('outer'), of('inner'), event['span_id']]).toEqual([
      request.spanContext().spanId,
      query.spanContext().spanId,
      request.spanContext().spanId,
    ]);
    expect(event).toMatchObject({
      trace_id: request.spanContext().traceId,
      RequestId: 'r-17',
      route: '/orders/:id',
      handler: 'Orders.find',
      tenant: 'acme',
    });
  });
});
