import { markClass } from '../brand.js';
import type { Code } from '../code.js';

/** Implemented by logx; called by the exception filter. */
export const FAILURE_OBSERVER = Symbol.for('apix.FailureObserver');

/** A failure that reached the exception filter, before it was turned into an answer. */
export interface Failure {
  readonly error: unknown;
  readonly door: 'http' | 'rpc';
  /** The code of the error, and its HTTP status. A filter of the app may answer with another. */
  readonly code: Code;
  readonly status: number;
  /**
   * False for an unexpected error: one that is not a StatusError, HttpException or RpcException, nor, over
   * HTTP, one that a body parser or Fastify made for the caller, or that of a request whose caller left
   * before its end.
   */
  readonly expected: boolean;
  /** Whether a filter that the app has for all its handlers answers it. Default: false. */
  readonly handled?: boolean;
  /**
   * The object that identifies the request, if there is one: the IncomingMessage of HTTP, the Metadata of
   * gRPC.
   */
  readonly carrier?: object | undefined;
}

export interface FailureObserver {
  readonly [FAILURE_OBSERVER]?: true;
  /**
   * Errors that it throws are ignored.
   *
   * @returns true where it writes the failure to a log, now or at the end of the request: then Nest does
   *   not write it again.
   */
  onFailure(failure: Failure): true | void;
}

/** Marks a provider that is called for every failure. The same as a property `[FAILURE_OBSERVER] = true`. */
export function FailureObserver(): ClassDecorator {
  return markClass(FAILURE_OBSERVER);
}
