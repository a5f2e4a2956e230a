import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import {
  LOOP_DELAY_MAX,
  LOOP_DELAY_MEAN,
  LOOP_DELAY_MIN,
  LOOP_DELAY_P50,
  LOOP_DELAY_P90,
  LOOP_DELAY_P99,
  LOOP_DELAY_STDDEV,
  LOOP_STATE,
  LOOP_TIME,
  LOOP_UTILIZATION,
} from './runtime-names.js';

/** How often the delay is looked at, in milliseconds; Node's own default. */
const RESOLUTION_MS = 10;
const NANOSECONDS_PER_SECOND = 1e9;
const MILLISECONDS_PER_SECOND = 1e3;

const DELAYS: readonly (readonly [string, string, (of: IntervalHistogram) => number])[] = [
  [LOOP_DELAY_MIN, 'Event loop minimum delay', ({ min }) => min],
  [LOOP_DELAY_MAX, 'Event loop maximum delay', ({ max }) => max],
  [LOOP_DELAY_MEAN, 'Event loop mean delay', ({ mean }) => mean],
  [LOOP_DELAY_STDDEV, 'Event loop standard deviation delay', ({ stddev }) => stddev],
  [LOOP_DELAY_P50, 'Event loop 50 percentile delay', (of) => of.percentile(50)],
  [LOOP_DELAY_P90, 'Event loop 90 percentile delay', (of) => of.percentile(90)],
  [LOOP_DELAY_P99, 'Event loop 99 percentile delay', (of) => of.percentile(99)],
];

/** Observes how late the event loop comes and how busy it is, until the returned function is called. */
export function observeLoop(meter: Meter): () => void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const delays = DELAYS.map(
    ([name, description, read]) =>
      [meter.createObservableGauge(name, { description, unit: 's' }), read] as const,
  );
  const time = meter.createObservableCounter(LOOP_TIME, {
    description: 'Cumulative duration of time the event loop has been in each state',
    unit: 's',
  });
  const utilization = meter.createObservableGauge(LOOP_UTILIZATION, {
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
    result.observe(time, now.active / MILLISECONDS_PER_SECOND, { [LOOP_STATE]: 'active' });
    result.observe(time, now.idle / MILLISECONDS_PER_SECOND, { [LOOP_STATE]: 'idle' });
  };
  const observed: Observable[] = [...delays.map(([gauge]) => gauge), time, utilization];
  meter.addBatchObservableCallback(observe, observed);
  return () => {
    meter.removeBatchObservableCallback(observe, observed);
    histogram.disable();
  };
}
