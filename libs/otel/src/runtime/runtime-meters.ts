import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import {
  type Attributes,
  type BatchObservableResult,
  type Meter,
  type MeterProvider,
  metrics,
  type Observable,
} from '@opentelemetry/api';
import * as names from '../names.js';

/**
 * Records what the process, the event loop and the garbage collector do, by the names of OpenTelemetry's
 * semantic conventions. Delays of the event loop are those since the last collection; two readers each see
 * their share.
 *
 * @param meterProvider Default: the global one, as it is at this moment.
 * @returns a function that ends it; recording does not keep the process alive.
 */
export function runtimeMeters(meterProvider: MeterProvider = metrics): () => void {
  const meter = meterProvider.getMeter(names.SCOPE_NAME);
  const ends = [observeProcess(meter), observeLoop(meter), recordCollections(meter)];
  return () => {
    for (const end of ends.splice(0)) end();
  };
}

const MICROSECONDS_PER_SECOND = 1e6;

/** Observes time of the processor and memory of the process, until the returned function is called. */
function observeProcess(meter: Meter): () => void {
  const cpu = meter.createObservableCounter(names.CPU_TIME, {
    description: 'Total CPU seconds broken down by different CPU modes',
    unit: 's',
  });
  const memory = meter.createObservableUpDownCounter(names.MEMORY_USAGE, {
    description: 'The amount of physical memory in use',
    unit: 'By',
  });
  const uptime = meter.createObservableGauge(names.UPTIME, {
    description: 'The time the process has been running',
    unit: 's',
  });
  const used = meter.createObservableUpDownCounter(names.HEAP_USED, {
    description: 'Heap memory size in use',
    unit: 'By',
  });
  const limit = meter.createObservableUpDownCounter(names.HEAP_SPACE_SIZE, {
    description: 'Total heap memory size pre-allocated',
    unit: 'By',
  });
  const observe = (result: BatchObservableResult): void => {
    const { user, system } = process.cpuUsage();
    result.observe(cpu, user / MICROSECONDS_PER_SECOND, { [names.CPU_MODE]: 'user' });
    result.observe(cpu, system / MICROSECONDS_PER_SECOND, { [names.CPU_MODE]: 'system' });
    result.observe(memory, process.memoryUsage.rss());
    result.observe(uptime, process.uptime());
    for (const space of getHeapSpaceStatistics()) {
      const of = { [names.HEAP_SPACE]: space.space_name };
      result.observe(used, space.space_used_size, of);
      result.observe(limit, space.space_size, of);
    }
  };
  const observed: Observable[] = [cpu, memory, uptime, used, limit];
  meter.addBatchObservableCallback(observe, observed);
  return () => meter.removeBatchObservableCallback(observe, observed);
}

/** How often the delay is looked at, in milliseconds; Node's own default. */
const RESOLUTION_MS = 10;
const NANOSECONDS_PER_SECOND = 1e9;
const MILLISECONDS_PER_SECOND = 1e3;

const DELAYS: readonly (readonly [string, string, (of: IntervalHistogram) => number])[] = [
  [names.LOOP_DELAY_MIN, 'Event loop minimum delay', ({ min }) => min],
  [names.LOOP_DELAY_MAX, 'Event loop maximum delay', ({ max }) => max],
  [names.LOOP_DELAY_MEAN, 'Event loop mean delay', ({ mean }) => mean],
  [names.LOOP_DELAY_STDDEV, 'Event loop standard deviation delay', ({ stddev }) => stddev],
  [names.LOOP_DELAY_P50, 'Event loop 50 percentile delay', (of) => of.percentile(50)],
  [names.LOOP_DELAY_P90, 'Event loop 90 percentile delay', (of) => of.percentile(90)],
  [names.LOOP_DELAY_P99, 'Event loop 99 percentile delay', (of) => of.percentile(99)],
];

/** Observes how late the event loop comes and how busy it is, until the returned function is called. */
function observeLoop(meter: Meter): () => void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const delays = DELAYS.map(
    ([name, description, read]) =>
      [meter.createObservableGauge(name, { description, unit: 's' }), read] as const,
  );
  const time = meter.createObservableCounter(names.LOOP_TIME, {
    description: 'Cumulative duration of time the event loop has been in each state',
    unit: 's',
  });
  const utilization = meter.createObservableGauge(names.LOOP_UTILIZATION, {
    description: 'Event loop utilization',
    unit: '1',
  });
  let last = performance.eventLoopUtilization();
  const observe = (result: BatchObservableResult): void => {
    // Until the first look there is nothing, and the least is a number of no meaning.
    if (histogram.count > 0) {
      for (const [gauge, read] of delays) {
        result.observe(gauge, read(histogram) / NANOSECONDS_PER_SECOND);
      }
    }
    histogram.reset();
    const now = performance.eventLoopUtilization();
    result.observe(utilization, performance.eventLoopUtilization(now, last).utilization);
    last = now;
    result.observe(time, now.active / MILLISECONDS_PER_SECOND, { [names.LOOP_STATE]: 'active' });
    result.observe(time, now.idle / MILLISECONDS_PER_SECOND, { [names.LOOP_STATE]: 'idle' });
  };
  const observed: Observable[] = [...delays.map(([gauge]) => gauge), time, utilization];
  meter.addBatchObservableCallback(observe, observed);
  return () => {
    meter.removeBatchObservableCallback(observe, observed);
    histogram.disable();
  };
}

/** Upper bounds in seconds, as the conventions have them. */
const BUCKETS = [0.01, 0.1, 1, 10];

const TYPES: Readonly<Record<number, Attributes>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: { [names.GC_TYPE]: 'major' },
  [constants.NODE_PERFORMANCE_GC_MINOR]: { [names.GC_TYPE]: 'minor' },
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: { [names.GC_TYPE]: 'incremental' },
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: { [names.GC_TYPE]: 'weakcb' },
};

interface CollectionEntry {
  /** Milliseconds. */
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/** Records how long each garbage collection takes, until the returned function is called. */
function recordCollections(meter: Meter): () => void {
  const durations = meter.createHistogram(names.GC_DURATION, {
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
