export { collectingSink } from './collecting-sink.js';
export { throwingSink } from './throwing-sink.js';
export type { CollectingSink } from './collecting-sink.js';
export type { ThrowingSink } from './throwing-sink.js';

export { LoggedEvents } from './logged-events.js';
export type { LoggedEvent } from './logged-events.js';
