export { fakeClock } from './fake-clock.js';
export { unreadableValues } from './unreadable-values.js';
export type { FakeClock } from './fake-clock.js';
