import type { Event } from '../event/event.js';
import type { EcsSettings } from './ecs-options.js';
import type { LineBuffer } from './line-buffer.js';

/** Makes the line of an event, its line break included: as a text, or as bytes in a buffer. */
export type Encoder =
  | { readonly text: (event: Event) => string; readonly bytes?: undefined }
  | { readonly bytes: (event: Event, line: LineBuffer) => void };

/** What a logger's options say about lines. */
export interface LineOptions {
  /** Whether lines carry the message. */
  readonly message: boolean;
  /** Whether lines carry the time. */
  readonly time: boolean;
  readonly ecs: EcsSettings;
}
