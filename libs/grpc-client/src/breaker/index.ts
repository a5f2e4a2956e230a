export { circuitBreaker } from './circuit-breaker.js';
export type { CircuitBreakerOptions } from './breaker-options.js';
