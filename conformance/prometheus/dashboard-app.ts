import 'reflect-metadata';
import { Public } from '@apix/authz';
import { Code, StatusError } from '@apix/contracts';
import { Every } from '@apix/cron';
import { GrpcModule } from '@apix/grpc';
import { type Client, GrpcClientModule, InjectClient } from '@apix/grpc-client';
import { TracingModule } from '@apix/otel';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Catalog } from '../../apps/demo/src/gen/shop/v1/catalog_pb.js';
import { Flaky, HOST, runShop, shopImports } from './shop-app.js';

/**
 * An app with everything that the dashboard shows, in a process of its own: `dashboard-app.mjs <port of gRPC>`.
 * Says `ready <HTTP port>` once everything has started.
 */
const GRPC_PORT = Number(process.argv[2]);

@Controller()
class CatalogController {
  @GrpcMethod('Catalog', 'List') list() {
    return {};
  }

  @GrpcMethod('Catalog', 'Get') get(): never {
    throw new StatusError(Code.INTERNAL, 'as it does');
  }
}

/** Calls its own process over the network, as it would another. */
@Public()
@Controller()
class Office {
  constructor(@InjectClient(Catalog) private readonly catalog: Client<typeof Catalog>) {}

  @Get('list') list() {
    return this.catalog.list({});
  }

  @Get('broken') broken() {
    return this.catalog.get({ name: 'products/none' });
  }
}

@Injectable()
class Sweeper {
  @Every('sweep', '200ms') sweep() {}
}

@Module({
  imports: [
    ...shopImports(
      GrpcModule.forRoot({ port: GRPC_PORT, host: HOST }),
      GrpcClientModule.forFeature(Catalog, { endpoint: `${HOST}:${GRPC_PORT}` }),
    ),
    TracingModule.forRoot({ recent: {} }),
  ],
  controllers: [CatalogController, Office],
  providers: [Flaky, Sweeper],
})
class Shop {}

await runShop(Shop);
