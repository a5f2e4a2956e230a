import 'reflect-metadata';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { PLAIN_SHOP } from '../../../../tools/testing/plain-shop.js';

export const SHOP = PLAIN_SHOP;

@Controller()
class Handlers {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  get({ name }: { name: string }): object {
    return { name, title: 'Cast iron pot' };
  }

  @GrpcMethod('shop.v1.Orders', 'Get')
  order({ name }: { name: string }): object {
    return { name };
  }

  @GrpcMethod('shop.v1.Orders', 'Create')
  create(): object {
    return { name: 'orders/1' };
  }
}

/** A gRPC server of the shop. */
export async function startBackend(port = 0) {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      GrpcModule.forRoot({
        port,
        host: '127.0.0.1',
        reflection: true,
        unenforcedPolicies: 'allow',
      }),
    ],
    controllers: [Handlers],
  })
  class App {}
  const { app, stop } = await startHost(App, { http: false, shutdownTimeout: '5s' });
  return { address: app!.get(GrpcServer).address, stop };
}
