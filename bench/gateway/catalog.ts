import { GatewayServer } from '@apix/gateway';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { OnStarted } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { Controller, type DynamicModule, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import type { GetProductRequest } from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { announce } from './announce.ts';
import { productOf } from './product.ts';

@Controller()
export class CatalogController {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  get({ name }: GetProductRequest) {
    return productOf(name);
  }
}

export const protos = (): DynamicModule =>
  ProtoModule.forRoot({ descriptors: process.env['DESCRIPTORS'] ?? '' });

/** What a service has that serves the catalog over gRPC. */
export const catalog = (): DynamicModule[] => [
  protos(),
  GrpcModule.forRoot({ port: 0, host: '127.0.0.1', unenforcedPolicies: 'allow' }),
];

export const HOST = {
  nest: { logger: false },
  http: { port: 0, host: '127.0.0.1' },
  drain: { delay: 0 },
} as const;

/** Tells the parent the ports, once they are bound. */
@Injectable()
export class Announcer {
  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  @OnStarted()
  announce(): void {
    announce(this.adapterHost.httpAdapter.getHttpServer());
  }
}

@Injectable()
export class BackendAnnouncer {
  constructor(@Inject(GrpcServer) private readonly grpc: GrpcServer) {}

  @OnStarted()
  announce(): void {
    announce({ address: () => ({ port: this.grpc.port }) });
  }
}

@Injectable()
export class GatewayAnnouncer {
  constructor(@Inject(GatewayServer) private readonly gateway: GatewayServer) {}

  @OnStarted()
  announce(): void {
    const port = Number(this.gateway.addr.split(':').at(-1));
    announce({ address: () => ({ port }) });
  }
}
