import { markClass } from '../brand.js';
import type { Code } from '../code.js';

/** Offered by logx; told by the one exception filter. */
export const FAILURE_OBSERVER = Symbol.for('apix.FailureObserver');

/** A failure that reached the exception filter, before it was turned into an answer. */
export interface Failure {
  readonly error: unknown;
  readonly door: 'http' | 'rpc';
  /** The code of the answer, and its HTTP status. */
  readonly code: Code;
  readonly status: number;
  /** False for an error nobody threw on purpose: no StatusError, HttpException or RpcException. */
  readonly expected: boolean;
  /**
   * What tells the request from others, where there is one: the IncomingMessage of HTTP, the
   * Metadata of gRPC.
   */
  readonly carrier?: object | undefined;
}

export interface FailureObserver {
  readonly [FAILURE_OBSERVER]?: true;
  /** Whether it writes failures to a log, so that Nest does not write them once more. Default: false. */
  readonly logs?: boolean;
  /** What it throws is ignored. */
  onFailure(failure: Failure): void;
}

/** Marks a provider that is called for every failure. The same as a property `[FAILURE_OBSERVER] = true`. */
export function FailureObserver(): ClassDecorator {
  return markClass(FAILURE_OBSERVER);
}
