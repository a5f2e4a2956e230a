import { type HealthCheck, HealthSource, type MetricReading, MetricSource } from '@apix/contracts';
import type { ShippingSink } from './shipping-sink.js';

type AnySink = Pick<
  ShippingSink<string>,
  'isClosed' | 'metrics' | 'healthChecks' | 'stats' | 'write'
>;

const made = new Set<AnySink>();

/** Registers a sink that was created from a configuration document. */
export function rememberSink(sink: AnySink): void {
  for (const other of made) if (other.isClosed) made.delete(other);
  made.add(sink);
}

/**
 * Metrics and health checks of all network sinks that were created from configuration documents, which no
 * variable holds. Make it a provider of a Nest app, so that its metrics and health checks are found.
 */
@MetricSource()
@HealthSource()
export class DocumentSinks implements MetricSource, HealthSource {
  /** The sinks that are open. */
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
