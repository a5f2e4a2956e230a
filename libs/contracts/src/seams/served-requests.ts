import { markClass } from '../brand.js';

/** Offered by otel; read by the host page. */
export const SERVED_REQUESTS = Symbol.for('apix.ServedRequests');

/** `refused`: the caller is to blame, as with a 4xx; `failed`: the server is, as with a 5xx. */
export type ServedOutcome = 'ok' | 'refused' | 'failed';

/**
 * Called for each request or call that has ended, inside the code that ends it. Errors that it throws are ignored.
 *
 * @param name method and pattern of the route, such as `GET /orders/:id`, or the full name of an RPC; never what a caller
 *   has written.
 * @param durationMs in milliseconds, with fractions.
 */
export type RequestFollower = (name: string, durationMs: number, outcome: ServedOutcome) => void;

export interface ServedRequests {
  readonly [SERVED_REQUESTS]?: true;
  /**
   * Follows the requests and calls of this process from now on, sampled or not.
   *
   * @returns what ends it.
   */
  follow(follower: RequestFollower): () => void;
}

/** Marks a provider of ended requests for the host page. The same as a property `[SERVED_REQUESTS] = true`. */
export function ServedRequests(): ClassDecorator {
  return markClass(SERVED_REQUESTS);
}
