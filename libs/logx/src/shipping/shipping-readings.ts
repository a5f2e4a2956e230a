import type { MetricReading } from '@apix/contracts';
import type { ShippingFigure } from './shipper.js';
import type { DropReason, ShippingStats } from './shipping-stats.js';

/** The names and attributes of a sink's metrics. */
export interface ShippingMetrics {
  /** The prefix of each name, such as `apix.logx.elastic`. */
  readonly prefix: string;
  /** Attributes that distinguish sinks of the same kind, such as the index. */
  readonly attributes: Readonly<Record<string, string>>;
}

const FIGURES: readonly (readonly [keyof ShippingStats, ShippingFigure['kind'], string])[] = [
  ['logged', 'counter', 'Events given to the sink'],
  ['sent', 'counter', 'Events that the other side accepted'],
  ['failed', 'counter', 'Events that the other side did not accept'],
  ['retried', 'counter', 'Events sent again'],
  ['queued', 'gauge', 'Events in memory'],
];

/** The stats of a sink as metrics; `dropped` has a reading for each reason. */
export function* shippingReadings(
  { prefix, attributes }: ShippingMetrics,
  stats: ShippingStats,
  figures: Readonly<Record<string, ShippingFigure>>,
): Iterable<MetricReading> {
  const of = (name: string, kind: ShippingFigure['kind'], value: number, description: string) => ({
    name: `${prefix}.${name}`,
    kind,
    value,
    unit: '{event}',
    description,
    attributes,
  });
  for (const [key, kind, description] of FIGURES) {
    yield of(key, kind, stats[key] as number, description);
  }
  for (const reason of Object.keys(stats.dropReasons) as DropReason[]) {
    const reading = of('dropped', 'counter', stats.dropReasons[reason], 'Events dropped');
    yield { ...reading, attributes: { ...attributes, reason } };
  }
  for (const [name, figure] of Object.entries(figures)) {
    yield of(name, figure.kind, figure.value(), figure.description);
  }
  yield {
    ...of('oldest_age', 'gauge', stats.oldestAgeMs / 1_000, 'How long the oldest event has waited'),
    unit: 's',
  };
}
