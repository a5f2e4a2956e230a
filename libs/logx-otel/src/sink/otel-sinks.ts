import {
  HEALTH_SOURCE,
  type HealthCheck,
  type HealthSource,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
} from '@apix/logx/core';
import type { OtelSink } from './otel-sink.js';

/** The sinks that configuration documents have made and that are open. */
export const documentSinks = new Set<OtelSink>();

/**
 * Metrics and health of the sinks that come from configuration documents, which nobody has in
 * hand. As a provider of a Nest app it is found by whatever reads metrics and health.
 */
export class OtelSinks implements MetricSource, HealthSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly [HEALTH_SOURCE] = true as const;

  get sinks(): readonly OtelSink[] {
    return [...documentSinks];
  }

  metrics(): Iterable<MetricReading> {
    return this.sinks.flatMap((sink) => [...sink.metrics()]);
  }

  healthChecks(): readonly HealthCheck[] {
    return this.sinks.flatMap((sink) => sink.healthChecks());
  }
}
