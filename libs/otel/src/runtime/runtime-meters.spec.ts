import { afterEach, describe, expect, it } from '@jest/globals';
import { prometheusHandler } from '../prometheus/prometheus-handler.js';
import { scrape } from '../scrape.fixture.js';
import { runtimeMeters } from './runtime-meters.js';

let end: () => void;
afterEach(() => end());

/** A loop that is held, and then looked at. */
async function held(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (const until = performance.now() + ms; performance.now() < until;);
  await new Promise((resolve) => setTimeout(resolve, 30));
}

describe('the meters of the runtime', () => {
  it('measure memory, time of the processor, the loop and its delay', async () => {
    const { handler, meterProvider } = prometheusHandler();
    end = runtimeMeters(meterProvider);
    let samples: Record<string, number> = {};
    // The monitor of a busy machine may take its first look only after the loop was held.
    do {
      await held(120);
      samples = await scrape(handler);
    } while (!(samples['nodejs_eventloop_delay_max']! > 0.09));
    expect(samples['process_memory_usage']).toBeGreaterThan(10_000_000);
    expect(samples['process_cpu_time_total{cpu_mode="user"}']).toBeGreaterThan(0);
    expect(samples['process_uptime']).toBeGreaterThan(0);
    expect(samples['nodejs_eventloop_delay_p50']).toBeGreaterThan(0);
    expect(samples['nodejs_eventloop_utilization']).toBeGreaterThan(0);
    expect(samples['nodejs_eventloop_time_total{nodejs_eventloop_state="active"}']).toBeGreaterThan(
      0,
    );
    expect(samples['v8js_memory_heap_used{v8js_heap_space_name="old_space"}']).toBeGreaterThan(0);
    expect(
      samples['v8js_memory_heap_space_size{v8js_heap_space_name="old_space"}'],
    ).toBeGreaterThan(0);
  });

  it('measure collections of garbage', async () => {
    const { handler, meterProvider } = prometheusHandler();
    end = runtimeMeters(meterProvider);
    const isSeen = async (): Promise<boolean> =>
      Object.entries(await scrape(handler)).some(
        ([name, value]) => name.startsWith('v8js_gc_duration_count{') && value > 0,
      );
    let kept: unknown[] = [];
    do kept = Array.from({ length: 100_000 }, (_, i) => ({ i }));
    while (!(await isSeen()));
    expect(kept).toHaveLength(100_000);
  });

  it('end', async () => {
    const { handler, meterProvider } = prometheusHandler();
    end = runtimeMeters(meterProvider);
    end();
    const samples = await scrape(handler);
    expect(Object.keys(samples).filter((name) => !name.startsWith('target_info'))).toEqual([]);
  });
});
