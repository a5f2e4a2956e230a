import { frontPlace, optionsModule } from '@apix/contracts/internal-nest';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { SpanScope } from '../spans/span-scope.js';
import { Tracing } from '../tracing/tracing.js';
import { MetricsBinding } from './metrics-binding.js';
import type { MetricsModuleOptions } from './metrics-module-options.js';
import { METER_PROVIDER, METRICS_OPTIONS, METRICS_PLACE } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  MetricsModuleOptions,
  'createMetricsOptions'
>({ name: 'otel: MetricsModule', token: METRICS_OPTIONS, factoryMethod: 'createMetricsOptions' });

/**
 * Records what the host does and what every `MetricSource` of the app counts, serves it to Prometheus at
 * `/metrics`, and gives startup tasks, cron runs and messages their spans. The meter provider can be
 * injected as {@link METER_PROVIDER}.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    frontPlace(METRICS_PLACE),
    MetricsBinding,
    {
      provide: METER_PROVIDER,
      inject: [MetricsBinding],
      useFactory: ({ meterProvider }: MetricsBinding) => meterProvider,
    },
    {
      provide: SpanScope,
      inject: [METRICS_OPTIONS, { token: Tracing, optional: true }],
      // The tracing module has its own scope.
      useFactory: ({ tracerProvider }: MetricsModuleOptions, tracing?: Tracing) =>
        tracing === undefined ? new SpanScope(new Tracing({ tracerProvider })) : null,
    },
  ],
  exports: [METER_PROVIDER],
})
export class MetricsModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}
