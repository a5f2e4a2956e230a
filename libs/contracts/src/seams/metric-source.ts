import { markClass } from '../brand.js';

/** Offered by whatever counts; read by otel and the host page. */
export const METRIC_SOURCE = Symbol.for('apix.MetricSource');

/** One figure at this moment. */
export interface MetricReading {
  /** Dotted OpenTelemetry name, such as `apix.grpc.calls`. */
  readonly name: string;
  readonly kind: 'counter' | 'gauge';
  readonly value: number;
  /** UCUM unit, such as `s` or `By`. Default: no unit. */
  readonly unit?: string;
  readonly description: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface MetricSource {
  readonly [METRIC_SOURCE]?: true;
  metrics(): Iterable<MetricReading>;
}

/** Marks a provider whose figures are exported with the metrics of the app. The same as a property `[METRIC_SOURCE] = true`. */
export function MetricSource(): ClassDecorator {
  return markClass(METRIC_SOURCE);
}
