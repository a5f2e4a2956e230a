import { PerformanceObserver, constants } from 'node:perf_hooks';
import type { Attributes, Meter } from '@opentelemetry/api';
import { GC_DURATION, GC_TYPE } from './runtime-names.js';

/** Upper bounds in seconds, as the conventions have them. */
const BUCKETS = [0.01, 0.1, 1, 10];

const TYPES: Readonly<Record<number, Attributes>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: { [GC_TYPE]: 'major' },
  [constants.NODE_PERFORMANCE_GC_MINOR]: { [GC_TYPE]: 'minor' },
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: { [GC_TYPE]: 'incremental' },
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: { [GC_TYPE]: 'weakcb' },
};

interface CollectionEntry {
  /** Milliseconds. */
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/** Records how long each garbage collection takes, until the returned function is called. */
export function recordCollections(meter: Meter): () => void {
  const durations = meter.createHistogram(GC_DURATION, {
    description: 'Garbage collection duration',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const observer = new PerformanceObserver((list) => {
    // The types of Node 20 know no `detail`.
    for (const entry of list.getEntries() as unknown as CollectionEntry[]) {
      durations.record(entry.duration / 1_000, TYPES[entry.detail.kind]);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
