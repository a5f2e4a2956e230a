import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { GrpcClientModule } from '@apix/grpc-client';
import { runHost } from '@apix/hostx';
import { tracedProviders } from '@apix/otel';
import { Module } from '@nestjs/common';
import { base } from './base.js';
import { Payments } from './gen/shop/payments/v1/payments_pb.js';
import { jobs } from './jobs.js';
import { OrderDesk } from './order-desk.js';
import { OrderStore } from './order-store.js';
import { OrdersController } from './orders.controller.js';
import { PlainController } from './plain.controller.js';
import { HOST, sayReady, setting } from './settings.js';
import { SupportController } from './support.controller.js';

/** The app that is called from outside: REST, by the gateway in-process, and gRPC. */
@Module({
  imports: [
    ...base('front'),
    ...jobs,
    GrpcModule.forRoot({ host: HOST, port: Number(setting('GRPC_PORT')) }),
    GatewayModule.forRoot({ mount: '/' }),
    GrpcClientModule.forFeature(Payments, {
      endpoint: `${HOST}:${setting('BACK_PORT')}`,
      authorization: { from: () => 'Bearer shop', hosts: [HOST] },
      waitForReady: true,
    }),
  ],
  controllers: [OrdersController, PlainController, SupportController],
  providers: [OrderDesk, OrderStore],
})
class Front {}

void runHost(Front, {
  nest: { logger: false, instrument: tracedProviders({ classes: [OrderDesk, OrderStore] }) },
  http: { port: Number(setting('HTTP_PORT')), host: HOST },
  drain: { delay: 0 },
  extend: (builder) => void builder.onStarted(sayReady),
});
