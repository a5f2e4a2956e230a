import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { METRIC_SOURCE, MetricSource } from '@apix/contracts';
import { HostedService, HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import {
  type CanActivate,
  Inject,
  Injectable,
  type INestApplication,
  Module,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { MeterProvider } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { prometheusHandler } from '../prometheus/prometheus-handler.js';
import { samplesOf, scrape } from '../scrape.fixture.js';
import type { MetricsModuleOptions } from './metrics-module-options.js';
import { MetricsModule } from './metrics.module.js';
import { METER_PROVIDER } from './tokens.js';

@HostedService({ name: 'outbox' })
class Outbox {
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
}

@Injectable()
class Decisions implements MetricSource {
  readonly [METRIC_SOURCE] = true as const;
  *metrics() {
    yield {
      name: 'apix.authz.decisions',
      kind: 'counter',
      value: 4,
      description: 'Decisions',
      attributes: { outcome: 'denied' },
    } as const;
  }
}

@Injectable()
class DenyAll implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class Shop {
  constructor(@Inject(METER_PROVIDER) provider: MeterProvider) {
    provider.getMeter('shop').createCounter('orders').add(1);
  }
}

function shopWith(options: MetricsModuleOptions): Type {
  @Module({
    imports: [HostxModule.forRoot({}), MetricsModule.forRoot(options)],
    providers: [Outbox, Decisions, Shop, { provide: APP_GUARD, useClass: DenyAll }],
  })
  class ShopModule {}
  return ShopModule;
}

async function get(app: INestApplication, path: string): Promise<readonly [number, string]> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { connection: 'close' },
  });
  return [response.status, await response.text()];
}

const EXPECTED = {
  hostx_host_up: 1,
  'hostx_service_restarts_total{service="outbox"}': 0,
  'hostx_service_failures_total{service="outbox"}': 0,
  'apix_authz_decisions_total{outcome="denied"}': 4,
  orders_total: 1,
};

describe('MetricsModule', () => {
  it('has the name of the app in target_info', async () => {
    const { app } = await startHost(shopWith({ serviceName: 'shop' }), {
      http: { host: '127.0.0.1', port: 0 },
    });
    const [, text] = await get(app!, '/metrics');
    expect(text).toMatch(/^target_info\{.*service_name="shop".*\} 1$/m);
  });

  it('logs which metric source failed, and serves the others', async () => {
    const lines: unknown[] = [];
    @MetricSource()
    class Stock implements MetricSource {
      metrics(): never {
        throw new Error('no stock');
      }
    }
    const ignore = (): void => {};
    const { app } = await startHost(shopWith({ path: '/metrics', sources: [new Stock()] }), {
      http: { host: '127.0.0.1', port: 0 },
      nest: {
        logger: {
          log: ignore,
          error: ignore,
          warn: (...parts: unknown[]) => void lines.push(...parts),
        },
      },
    });
    const [, text] = await get(app!, '/metrics');
    expect(samplesOf(text)).toMatchObject({
      'apix_otel_source_failed{source="Stock"}': 1,
      'apix_authz_decisions_total{outcome="denied"}': 4,
    });
    expect(lines).toEqual([
      'otel: the metric source Stock failed, its metrics are left out while it does: no stock',
      'MetricsModule',
    ]);
  });

  it.each([
    ['Express', undefined],
    ['Fastify', new FastifyAdapter()],
    ['an adapter of another type', new NodeAdapter()],
  ])('serves the host, the sources and the app itself at /metrics (%s)', async (_, adapter) => {
    const { app } = await startHost(shopWith({}), { ...(adapter && { adapter }) });
    const [status, text] = await get(app!, '/metrics?x=1');
    expect(status).toBe(200);
    expect(samplesOf(text)).toMatchObject(EXPECTED);
    expect(text.match(/^# TYPE hostx_host_up /gm)).toHaveLength(1);
    expect((await get(app!, '/metrics/more'))[0]).not.toBe(200);
  });

  it.each([
    ['Express', '/api/metrics', undefined, () => undefined],
    ['Fastify', '/api/metrics', undefined, () => new FastifyAdapter()],
    ['Express, excluded', '/metrics', ['metrics'], () => undefined],
    ['Fastify, excluded', '/metrics', ['metrics'], () => new FastifyAdapter()],
    ['an adapter of another type', '/api/metrics', undefined, () => new NodeAdapter()],
  ])('follows the global prefix (%s: %s)', async (_, path, exclude, make) => {
    const adapter = make();
    const configure = (app: INestApplication): void =>
      void app.setGlobalPrefix('api', { ...(exclude && { exclude }) });
    const { app } = await startHost(shopWith({}), { ...(adapter && { adapter }), configure });
    const paths = ['/metrics', '/api/metrics'];
    const statuses = await Promise.all(paths.map(async (one) => (await get(app!, one))[0]));
    expect(statuses).toEqual(paths.map((one) => (one === path ? 200 : 404)));
  });

  it('serves another path, or none', async () => {
    const other = await startHost(shopWith({ path: '/internal/metrics' }));
    expect((await get(other.app!, '/internal/metrics'))[0]).toBe(200);
    expect((await get(other.app!, '/metrics'))[0]).toBe(404);
    const none = await startHost(shopWith({ path: false }));
    expect((await get(none.app!, '/metrics'))[0]).toBe(404);
  });

  it('records to a provider of the app, serves it nowhere and leaves it open', async () => {
    const { handler, meterProvider } = prometheusHandler();
    const started = await startHost(shopWith({ meterProvider }));
    expect((await get(started.app!, '/metrics'))[0]).toBe(404);
    expect(await scrape(handler)).toMatchObject(EXPECTED);
    await started.stop();
    expect(await scrape(handler)).toMatchObject({
      hostx_host_up: 0,
      'hostx_service_stop_duration_count{service="outbox",outcome="stopped"}': 1,
    });
  });

  it('takes sources that are no providers', async () => {
    const sink: MetricSource = {
      [METRIC_SOURCE]: true,
      metrics: () => [{ name: 'apix.sink.sent', kind: 'counter', value: 2, description: 'Sent' }],
    };
    const { app } = await startHost(shopWith({ sources: [sink] }));
    const [, text] = await get(app!, '/metrics');
    expect(samplesOf(text)).toHaveProperty('apix_sink_sent_total', 2);
  });

  it('makes spans of the stops', async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const started = await startHost(shopWith({ tracerProvider }));
    await started.stop();
    const stopped = exporter.getFinishedSpans().map(({ attributes }) => attributes['service']);
    expect(stopped).toContain('outbox');
  });

  it('works without a host', async () => {
    @Module({ imports: [MetricsModule.forRoot()], providers: [Decisions] })
    class Plain {}
    const app = await NestFactory.create(Plain, { logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      const [, text] = await get(app, '/metrics');
      const samples = samplesOf(text);
      expect(samples).toHaveProperty(['apix_authz_decisions_total{outcome="denied"}'], 4);
      expect(samples).not.toHaveProperty('hostx_host_up');
    } finally {
      await app.close();
    }
  });

  it.each<[MetricsModuleOptions, string]>([
    [{ path: 'metrics' }, 'otel: path: "metrics" is not a path: it must start with "/"'],
    [
      { path: '/metrics', meterProvider: prometheusHandler().meterProvider },
      'otel: path: cannot be combined with meterProvider, because path serves its own provider',
    ],
    [
      { path: 'metrics', meterProvider: prometheusHandler().meterProvider },
      'otel: 2 mistakes:\n  path: "metrics" is not a path: it must start with "/"\n  path: cannot be combined',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(startHost(shopWith(options))).rejects.toThrow(message);
  });
});
