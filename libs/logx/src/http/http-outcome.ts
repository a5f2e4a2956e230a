import type { IncomingMessage } from 'node:http';
import type { LoggedOutcome } from '../request/level-rules.js';

/** How an HTTP request ended. */
export interface HttpOutcome extends LoggedOutcome {
  readonly request: IncomingMessage;
  /** The status that was sent; 499 if the caller disconnected before that. */
  readonly status: number;
  /** The side that ended a response before it was complete; undefined if it is complete. */
  readonly ended: 'caller' | 'server' | undefined;
  /** The route's pattern, such as `/orders/:id`; undefined if no handler of Nest was reached. */
  readonly route: string | undefined;
}
