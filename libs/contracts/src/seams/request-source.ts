import { markClass } from '../brand.js';

/** Offered by otel; read by the host page. */
export const REQUEST_SOURCE = Symbol.for('apix.RequestSource');

/** `refused`: the caller is to blame, as with a 4xx; `failed`: the server is, as with a 5xx. */
export type RequestOutcome = 'ok' | 'refused' | 'failed';

/**
 * Called for each request or call that has ended, inside the code that ends it. Errors that it throws are ignored.
 *
 * @param name method and pattern of the route, such as `GET /orders/:id`, or the full name of an RPC; never what a caller
 *   has written.
 * @param durationMs in milliseconds, with fractions.
 */
export type RequestFollower = (name: string, durationMs: number, outcome: RequestOutcome) => void;

export interface RequestSource {
  readonly [REQUEST_SOURCE]?: true;
  /**
   * Follows the requests and calls of this process from now on, sampled or not.
   *
   * @returns what ends it.
   */
  follow(follower: RequestFollower): () => void;
}

/** Marks a provider of ended requests for the host page. The same as a property `[REQUEST_SOURCE] = true`. */
export function RequestSource(): ClassDecorator {
  return markClass(REQUEST_SOURCE);
}
