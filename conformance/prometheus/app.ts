import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '@apix/contracts';
import { Every } from '@apix/cron';
import { GrpcModule } from '@apix/grpc';
import { HostedService, httpService } from '@apix/hostx';
import { MetricsModule, prometheusHandler } from '@apix/otel';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Flaky, HOST, runShop, shopImports } from './shop-app.js';

/**
 * The app under test, in a process of its own: `app.mjs <port of its metrics>`. It serves them
 * twice: at `/metrics` of its HTTP server, and from a service of its own, which is the first to
 * start and so the last to stop. Says `ready <HTTP port>` once everything has started.
 */
const METRICS_PORT = Number(process.argv[2]);

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

@Module({
  imports: [
    ...shopImports(GrpcModule.forRoot({ port: 0, host: HOST })),
    MetricsModule.forRoot({ meterProvider }),
  ],
  controllers: [Catalog],
  providers: [Metrics, Slow, Flaky],
})
class Shop {}

await runShop(Shop);
