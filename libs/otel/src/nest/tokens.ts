/** The options of MetricsModule. */
export const METRICS_OPTIONS = Symbol.for('apix.otel.MetricsModuleOptions');

/** Where MetricsModule serves. */
export const METRICS_PLACE = Symbol.for('apix.otel.MetricsPlace');

/** The meter provider that everything is recorded with, for instruments of the app's own. */
export const METER_PROVIDER = Symbol.for('apix.otel.MeterProvider');

/** The options given to {@link TracingModule.forRoot}. */
export const TRACING_OPTIONS = Symbol.for('apix.otel.TracingModuleOptions');
