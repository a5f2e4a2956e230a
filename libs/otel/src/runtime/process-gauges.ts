import { getHeapSpaceStatistics } from 'node:v8';
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import {
  CPU_MODE,
  CPU_TIME,
  HEAP_SPACE_SIZE,
  HEAP_SPACE,
  HEAP_USED,
  MEMORY_USAGE,
  UPTIME,
} from './runtime-names.js';

const MICROSECONDS_PER_SECOND = 1e6;

/** Observes time of the processor and memory of the process, until the returned function is called. */
export function observeProcess(meter: Meter): () => void {
  const cpu = meter.createObservableCounter(CPU_TIME, {
    description: 'Total CPU seconds broken down by different CPU modes',
    unit: 's',
  });
  const memory = meter.createObservableUpDownCounter(MEMORY_USAGE, {
    description: 'The amount of physical memory in use',
    unit: 'By',
  });
  const uptime = meter.createObservableGauge(UPTIME, {
    description: 'The time the process has been running',
    unit: 's',
  });
  const used = meter.createObservableUpDownCounter(HEAP_USED, {
    description: 'Heap memory size in use',
    unit: 'By',
  });
  const limit = meter.createObservableUpDownCounter(HEAP_SPACE_SIZE, {
    description: 'Total heap memory size pre-allocated',
    unit: 'By',
  });
  const observe = (result: BatchObservableResult): void => {
    const { user, system } = process.cpuUsage();
    result.observe(cpu, user / MICROSECONDS_PER_SECOND, { [CPU_MODE]: 'user' });
    result.observe(cpu, system / MICROSECONDS_PER_SECOND, { [CPU_MODE]: 'system' });
    result.observe(memory, process.memoryUsage.rss());
    result.observe(uptime, process.uptime());
    for (const space of getHeapSpaceStatistics()) {
      const of = { [HEAP_SPACE]: space.space_name };
      result.observe(used, space.space_used_size, of);
      result.observe(limit, space.space_size, of);
    }
  };
  const observed: Observable[] = [cpu, memory, uptime, used, limit];
  meter.addBatchObservableCallback(observe, observed);
  return () => meter.removeBatchObservableCallback(observe, observed);
}
