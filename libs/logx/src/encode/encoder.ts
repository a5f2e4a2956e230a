import type { Event } from '../event/event.js';

/** Makes the line of an event, its line break included. */
export type Encoder = (event: Event) => string;

/** What a logger's options say about lines. */
export interface LineOptions {
  /** Whether lines carry the message. */
  readonly message: boolean;
  /** Whether lines carry the time. */
  readonly time: boolean;
}
