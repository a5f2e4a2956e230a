import type { Event } from '../event/event.js';
import type { EcsSettings } from './ecs-options.js';
import type { LineBuffer } from './line-buffer.js';

/** Encodes an event as a line, including its line break: as a text, or as bytes in a buffer. */
export type Encoder =
  | { readonly text: (event: Event) => string; readonly bytes?: undefined }
  | { readonly bytes: (event: Event, line: LineBuffer) => void };

/** The logger's options for lines. */
export interface LineOptions {
  /** Whether lines contain the message. */
  readonly message: boolean;
  /** Whether lines contain the time. */
  readonly time: boolean;
  readonly ecs: EcsSettings;
}
