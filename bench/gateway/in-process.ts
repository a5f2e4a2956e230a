import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { runHost } from '@apix/hostx';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NEVER, type Observable, concat, of } from 'rxjs';
import type { OrderEvent } from '../../apps/demo/src/gen/shop/v1/orders_pb.ts';
import { eventOf } from './product.ts';
import { Announcer, CatalogController, GatewayAnnouncer, HOST, catalog } from './catalog.ts';

/** All protocols, on a server that speaks HTTP/1 and HTTP/2. */
const protocols = process.env['PROTOCOLS'] && {
  protocols: ['rest', 'connect', 'grpc-web', 'grpc'] as const,
  http: { http2: true },
};
const own = process.env['PORT_OF_ITS_OWN'] !== undefined;

/** Streams that are open and silent. */
@Controller()
class SilentOrders {
  @GrpcMethod('shop.v1.Orders', 'Watch')
  watch(): Observable<OrderEvent> {
    return concat(of(eventOf()), NEVER);
  }
}

@Module({
  imports: [
    ...catalog(),
    GatewayModule.forRoot(own ? { port: 0, host: '127.0.0.1', ...protocols } : {}),
  ],
  controllers: [CatalogController, SilentOrders],
  providers: [own ? GatewayAnnouncer : Announcer],
})
class OneProcess {}

await runHost(OneProcess, { ...HOST, adapter: new FastifyAdapter() });
