import { type HealthCheck, HealthSource, type MetricReading, MetricSource } from '@apix/contracts';
import type { ShippingSink } from './shipping-sink.js';

type AnySink = Pick<
  ShippingSink<string>,
  'isClosed' | 'metrics' | 'healthChecks' | 'stats' | 'write'
>;

const made = new Set<AnySink>();

/** Remembers a sink that a configuration document has made. */
export function rememberSink(sink: AnySink): void {
  for (const other of made) if (other.isClosed) made.delete(other);
  made.add(sink);
}

/**
 * Metrics and health of the network sinks that configuration documents have made, whatever their
 * types: no variable holds these. As a provider of a Nest app it is found by whatever reads metrics
 * and health.
 */
@MetricSource()
@HealthSource()
export class DocumentSinks implements MetricSource, HealthSource {
  /** Those that are open. */
  get sinks(): readonly AnySink[] {
    return [...made].filter(({ isClosed }) => !isClosed);
  }

  metrics(): Iterable<MetricReading> {
    return this.sinks.flatMap((sink) => [...sink.metrics()]);
  }

  healthChecks(): readonly HealthCheck[] {
    return this.sinks.flatMap((sink) => sink.healthChecks());
  }
}
