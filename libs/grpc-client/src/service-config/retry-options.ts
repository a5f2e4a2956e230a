import type { Code, Duration } from '@apix/contracts';

/** A status that is not a success, by its name. */
export type FailureCode = Exclude<keyof typeof Code, 'OK'>;

/** How often and when a failed call is made again (gRFC A6). */
export interface RetryOptions {
  /**
   * How often a call is made at most, the first time included: 2 to 5, or to what
   * `grpc-node.retry_max_attempts_limit` of `channelOptions` allows. Default: 4.
   */
  readonly attempts?: number | undefined;
  /** The pause before the second attempt; each pause is varied by up to 20 %. Default: '100ms'. */
  readonly initialBackoff?: Duration | undefined;
  /** The longest pause between two attempts. Default: '1s', or `initialBackoff` if that is longer. */
  readonly maxBackoff?: Duration | undefined;
  /** By how much each pause is longer than the one before. Default: 2. */
  readonly multiplier?: number | undefined;
  /** The statuses after which the call is made again. Default: `['UNAVAILABLE']`. */
  readonly on?: readonly FailureCode[] | undefined;
}

/** How a call that is slow is made a second time, while the first one continues (gRFC A6). */
export interface HedgeOptions {
  /** How long an attempt may go without an answer until the next one is made. Required. */
  readonly delay: Duration;
  /** How often a call is made at most, the first time included; limits as for retries. Default: 2. */
  readonly attempts?: number | undefined;
  /**
   * The statuses after which the other attempts continue, and the next one begins. Default:
   * `['UNAVAILABLE']`.
   */
  readonly on?: readonly FailureCode[] | undefined;
}

/** Retries or hedging of one method. */
export interface MethodRetryOptions {
  /**
   * When a failed call is made again; `false`: never, whatever the client says. A stream whose response
   * has begun is not, and all attempts share the deadline of the call. Calls to a server of this process are
   * made once. Default: that of the client.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** When a slow call is made a second time, in place of `retry`; `false`: never. Default: that of the client. */
  readonly hedge?: HedgeOptions | false | undefined;
  /**
   * Whether making a call twice has the same effect as once. Default: by `idempotency_level` of the method
   * in its proto.
   */
  readonly idempotent?: boolean | undefined;
}

/** Retries or hedging of a service. */
export interface ServiceRetryOptions {
  /** For all idempotent methods of the service, when a failed call is made again. Default: never. */
  readonly retry?: RetryOptions | false | undefined;
  /** For all idempotent methods of the service, when a slow call is made a second time. Default: never. */
  readonly hedge?: HedgeOptions | false | undefined;
}

/** The limits of grpc-js for a channel. */
export interface RetryLimits {
  /** The maximum number of attempts of grpc-js; it silently reduces a greater number. */
  readonly maxAttempts: number;
}
