import type { IncomingMessage } from 'node:http';
import type { LoggedOutcome } from '../request/level-rules.js';

/** How an HTTP request ended. */
export interface HttpOutcome extends LoggedOutcome {
  readonly request: IncomingMessage;
  /** What was sent; 499 where the caller went away before that. */
  readonly status: number;
  /** Who ended an answer before it was complete; undefined where it is. */
  readonly ended: 'caller' | 'server' | undefined;
  /** The route's pattern, such as `/orders/:id`; undefined where no handler of Nest was reached. */
  readonly route: string | undefined;
}
