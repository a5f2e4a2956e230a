import type { MetricReading } from '@apix/contracts';
import type { ElasticStats } from '../queue/account.js';

const FIGURES: readonly (readonly [keyof ElasticStats, string, MetricReading['kind'], string])[] = [
  ['logged', 'logged', 'counter', 'Events given to the sink'],
  ['sent', 'sent', 'counter', 'Events that Elasticsearch took'],
  ['failed', 'failed', 'counter', 'Events that Elasticsearch did not take'],
  ['dropped', 'dropped', 'counter', 'Events that there was no room or no time for'],
  ['queued', 'queued', 'gauge', 'Events in memory'],
  ['spooled', 'spooled', 'gauge', 'Events on disk alone'],
];

/** The stats of a sink as metrics, `apix.logx.elastic.*`. */
export function* readingsOf(index: string, stats: ElasticStats): Iterable<MetricReading> {
  const attributes = { index };
  for (const [key, name, kind, description] of FIGURES) {
    const value = stats[key];
    yield {
      name: `apix.logx.elastic.${name}`,
      kind,
      value,
      unit: '{event}',
      description,
      attributes,
    };
  }
  yield {
    name: 'apix.logx.elastic.oldest_age',
    kind: 'gauge',
    value: stats.oldestAgeMs / 1_000,
    unit: 's',
    description: 'How long the oldest event waits',
    attributes,
  };
}
