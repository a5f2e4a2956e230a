import type { MetricReading } from '@apix/logx/core';
import type { OtelStats } from './otel-stats.js';

const FIGURES: readonly (readonly [keyof OtelStats, MetricReading['kind'], string])[] = [
  ['logged', 'counter', 'Events given to the sink'],
  ['sent', 'counter', 'Events that the collector or the provider took'],
  ['failed', 'counter', 'Events that the collector did not take'],
  ['dropped', 'counter', 'Events that there was no room or no time for'],
  ['queued', 'gauge', 'Events that wait or are under way'],
];

/** The stats of a sink as metrics, `apix.logx.otel.*`. */
export function* readingsOf(target: string, stats: OtelStats): Iterable<MetricReading> {
  const attributes = { target };
  for (const [key, kind, description] of FIGURES) {
    const name = `apix.logx.otel.${key}`;
    yield { name, kind, value: stats[key], unit: '{event}', description, attributes };
  }
  yield {
    name: 'apix.logx.otel.oldest_age',
    kind: 'gauge',
    value: stats.oldestAgeMs / 1_000,
    unit: 's',
    description: 'How long the oldest event waits',
    attributes,
  };
}
