import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AuthzModule } from '@apix/authz';
import type { Deadline } from '@apix/contracts';
import { CronModule, Every } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { HostedService, HostxModule, httpService, runHost } from '@apix/hostx';
import { OtelModule, prometheusHandler } from '@apix/otel';
import { LogxModule } from '@apix/logx';
import { otelSink } from '@apix/logx-otel';
import { ProtoModule } from '@apix/proto';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';

/**
 * The app under test, in a process of its own: `app.mjs <port of its metrics>`. It serves them
 * twice: at `/metrics` of its HTTP server, and from a service of its own, which is the first to
 * start and so the last to stop. Says `ready <HTTP port>` once everything has started.
 */
const METRICS_PORT = Number(process.argv[2]);
const HOST = '127.0.0.1';
/** Seen from the bundle, four folders below the root of the repository. */
const SHOP = '../../../../apps/demo/gen/shop.binpb';

/** Logs to nobody: there is no global provider, so that every event is dropped, and counted. */
const sink = otelSink();

/** Long enough to be scraped while services stop. */
const SLOW_STOP_MS = 2_000;

const { handler, meterProvider } = prometheusHandler();

@Controller()
class Catalog {
  @GrpcMethod('Catalog', 'List') list() {
    return {};
  }
}

@HostedService({ name: 'metrics' })
class Metrics {
  readonly #http = httpService({ name: 'metrics', host: HOST, port: METRICS_PORT, handler });
  start(signal: AbortSignal) {
    return this.#http.start(signal);
  }
  stop(deadline: Deadline) {
    return this.#http.stop(deadline);
  }
  ready() {
    return this.#http.ready();
  }
}

@HostedService({ name: 'slow' })
class Slow {
  @Every('sweep', '1h', { runImmediately: true })
  sweep() {}
  async start(signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  stop() {
    return sleep(SLOW_STOP_MS);
  }
}

/** Fails once, right after its start, and runs from then on. */
@HostedService({ name: 'flaky', restart: { initialDelay: 1 } })
class Flaky {
  #starts = 0;
  async start(signal: AbortSignal) {
    if (this.#starts++ === 0) throw new Error('as it does');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
}

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: fileURLToPath(new URL(SHOP, import.meta.url)) }),
    AuthzModule.forRoot({ subject: () => null, unannotated: 'deny' }),
    LogxModule.forRoot({ sinks: [sink], http: { skipProbes: true } }),
    CronModule.forRoot(),
    HostxModule.forRoot({ logger: null }),
    GrpcModule.forRoot({ port: 0, host: HOST }),
    GatewayModule.forRoot({ mount: '/' }),
    OtelModule.forRoot({ sources: [sink] }),
    OtelModule.forRoot({ meterProvider }),
  ],
  controllers: [Catalog],
  providers: [Metrics, Slow, Flaky],
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
