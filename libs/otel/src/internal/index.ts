export { tracedHandler } from '../http/http-trace-door.js';
export { OBSERVED_NAMES } from '../observe/otel-observer.js';
export { runtimeMeters } from '../runtime/runtime-meters.js';
export { SourceMeters } from '../sources/source-meters.js';
