import type { MetricSource } from '@apix/contracts';
import type { RequestHandler } from '@apix/gateway/core';
import type { Host } from '@apix/hostx/core';
import { otelObserver, prometheusHandler } from '@apix/otel/core';
import { OBSERVED_NAMES, SourceMeters, runtimeMeters } from '@apix/otel/internal';
import type { GatewaySettings } from '../settings/setting-table.js';

/** Metrics for Prometheus, and the path that serves them. */
export interface Metrics {
  readonly path: string;
  readonly handler: RequestHandler;
  /** Records the activity of a host until it has stopped. */
  bind(builder: ReturnType<typeof Host.builder>): void;
}

/** Undefined if the settings turn metrics off. */
export function metricsOf(
  { metrics: path = '/metrics' }: GatewaySettings,
  sources: () => readonly Pick<MetricSource, 'metrics'>[],
  report: (problem: string) => void,
): Metrics | undefined {
  if (path === 'off') return undefined;
  const beforeScrape = (): void => meters.refresh();
  const { handler, meterProvider } = prometheusHandler({ beforeScrape });
  const meters = new SourceMeters(() => sources() as readonly MetricSource[], {
    meterProvider,
    except: OBSERVED_NAMES,
    report,
  });
  const endRuntime = runtimeMeters(meterProvider);
  return {
    path,
    handler,
    bind(builder) {
      builder.withObserver(otelObserver({ meterProvider })).addCloser('metrics', async () => {
        meters.stop();
        endRuntime();
        await meterProvider.shutdown();
      });
    },
  };
}
