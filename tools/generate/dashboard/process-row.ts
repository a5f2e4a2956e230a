import { metric, rate } from './metrics.js';
import type { Row } from './panels.js';

const byInstance = (of: string, selector: string): string => `${of} by (instance) (${selector})`;
const delay = (name: string): string =>
  byInstance('max', metric(`nodejs_eventloop_delay_${name}`, 'seconds'));

export const PROCESS: Row = {
  title: 'Process',
  panels: [
    {
      title: 'Memory',
      description: 'Memory of the process, and of it what is in use on the heap of V8.',
      unit: 'bytes',
      queries: [
        {
          expr: byInstance('sum', metric('process_memory_usage', 'bytes')),
          legend: 'resident {{instance}}',
        },
        {
          expr: byInstance('sum', metric('v8js_memory_heap_used', 'bytes')),
          legend: 'heap {{instance}}',
        },
      ],
    },
    {
      title: 'Delay of the event loop',
      description:
        'How late the event loop comes; longer than a few milliseconds, requests wait for it.',
      unit: 's',
      queries: ['p50', 'p99', 'max'].map((name) => ({
        expr: delay(name),
        legend: `${name} {{instance}}`,
      })),
    },
    {
      title: 'How busy the event loop is',
      description: 'The share of time in which it does something; at 1 it can do no more.',
      unit: 'percentunit',
      queries: [
        {
          expr: byInstance('max', metric('nodejs_eventloop_utilization', 'ratio')),
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Processor time',
      description: 'Cores in use, all threads of the process together.',
      unit: 'short',
      queries: [
        {
          expr: rate(metric('process_cpu_time', 'seconds', '_total'), 'instance, cpu_mode'),
          legend: '{{cpu_mode}} {{instance}}',
        },
      ],
    },
    {
      title: 'Garbage collection',
      description: 'The share of time that goes into it.',
      unit: 'percentunit',
      queries: [
        {
          expr: rate(metric('v8js_gc_duration', 'seconds', '_sum'), 'instance, v8js_gc_type'),
          legend: '{{v8js_gc_type}} {{instance}}',
        },
      ],
    },
  ],
};
