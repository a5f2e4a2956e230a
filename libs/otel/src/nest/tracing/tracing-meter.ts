import type { FactoryProvider } from '@nestjs/common';
import type { Meter, MeterProvider } from '@opentelemetry/api';
import { recordingMeter } from '../../metrics/durations.js';
import { METER_PROVIDER, TRACING_OPTIONS } from '../tokens.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

/** The meter that requests and calls are measured with; null if nothing records. */
export const TRACING_METER = Symbol.for('apix.otel.TracingMeter');

/** Records where the option says, else next to the other figures of the app. */
export const TRACING_METER_PROVIDER: FactoryProvider<Meter | null> = {
  provide: TRACING_METER,
  inject: [TRACING_OPTIONS, { token: METER_PROVIDER, optional: true }],
  useFactory: ({ meterProvider }: TracingModuleOptions, ofMetrics?: MeterProvider) =>
    recordingMeter(meterProvider ?? ofMetrics) ?? null,
};
