import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AuthzModule, Public } from '@apix/authz';
import { Code, StatusError } from '@apix/contracts';
import { CronModule, Every } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { type Client, GrpcClientModule, InjectClient } from '@apix/grpc/client';
import { HostedService, HostxModule, runHost } from '@apix/hostx';
import { LogxModule } from '@apix/logx';
import { otelSink } from '@apix/logx-otel';
import { OtelModule, TracingModule } from '@apix/otel';
import { ProtoModule } from '@apix/proto';
import { Controller, Get, type INestApplication, Injectable, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Catalog } from '../../apps/demo/src/gen/shop/v1/catalog_pb.js';

/**
 * An app with everything that the dashboard shows, in a process of its own: `dashboard-app.mjs <port of gRPC>`.
 * Says `ready <HTTP port>` once everything has started.
 */
const GRPC_PORT = Number(process.argv[2]);
const HOST = '127.0.0.1';
/** Seen from the bundle, four folders below the root of the repository. */
const SHOP = '../../../../apps/demo/gen/shop.binpb';

/** Logs to nobody: every event is dropped, and counted. */
const sink = otelSink();

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

@HostedService({ name: 'flaky', restart: { initialDelay: 1 } })
class Flaky {
  #starts = 0;
  async start(signal: AbortSignal) {
    if (this.#starts++ === 0) throw new Error('as it does');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
}

@Injectable()
class Sweeper {
  @Every('sweep', '200ms') sweep() {}
}

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: fileURLToPath(new URL(SHOP, import.meta.url)) }),
    AuthzModule.forRoot({ subject: () => null, unannotated: 'deny' }),
    LogxModule.forRoot({ sinks: [sink], http: { skipProbes: true } }),
    CronModule.forRoot(),
    HostxModule.forRoot({ logger: null }),
    GrpcModule.forRoot({ port: GRPC_PORT, host: HOST }),
    GrpcClientModule.forFeature(Catalog, { endpoint: `${HOST}:${GRPC_PORT}` }),
    GatewayModule.forRoot({ mount: '/' }),
    OtelModule.forRoot({ sources: [sink] }),
    TracingModule.forRoot({ recent: {} }),
  ],
  controllers: [CatalogController, Office],
  providers: [Flaky, Sweeper],
})
class Shop {}

let app: INestApplication;
await runHost(Shop, {
  nest: { logger: false },
  http: { port: 0, host: HOST },
  drain: { delay: 0 },
  configure: (created) => {
    app = created;
  },
  extend: (builder) =>
    void builder.onStarted(() => {
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      process.stdout.write(`ready ${port}\n`);
    }),
});
