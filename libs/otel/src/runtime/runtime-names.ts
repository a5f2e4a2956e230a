/** Names of metrics and attributes as in OpenTelemetry's semantic conventions for processes, Node.js and V8. */
export const CPU_TIME = 'process.cpu.time';
export const MEMORY_USAGE = 'process.memory.usage';
export const UPTIME = 'process.uptime';
export const LOOP_DELAY_MIN = 'nodejs.eventloop.delay.min';
export const LOOP_DELAY_MAX = 'nodejs.eventloop.delay.max';
export const LOOP_DELAY_MEAN = 'nodejs.eventloop.delay.mean';
export const LOOP_DELAY_STDDEV = 'nodejs.eventloop.delay.stddev';
export const LOOP_DELAY_P50 = 'nodejs.eventloop.delay.p50';
export const LOOP_DELAY_P90 = 'nodejs.eventloop.delay.p90';
export const LOOP_DELAY_P99 = 'nodejs.eventloop.delay.p99';
export const LOOP_TIME = 'nodejs.eventloop.time';
export const LOOP_UTILIZATION = 'nodejs.eventloop.utilization';
export const HEAP_USED = 'v8js.memory.heap.used';
export const HEAP_SPACE_SIZE = 'v8js.memory.heap.space.size';
export const GC_DURATION = 'v8js.gc.duration';

export const CPU_MODE = 'cpu.mode';
export const LOOP_STATE = 'nodejs.eventloop.state';
export const HEAP_SPACE = 'v8js.heap.space.name';
export const GC_TYPE = 'v8js.gc.type';
