export { fakeClock } from './fake-clock.js';
export type { FakeClock } from './fake-clock.js';
