import type {
  CallMethod,
  CallOutcome,
  HealthCheck,
  MetricReading,
  CallUnderWay,
} from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';

/** A call on its way out, before and after it is made. */
export interface OutgoingCall {
  readonly method: CallMethod;
  /** The target: the endpoint, or `in-process`. */
  readonly target: string;
  /** The metadata to send; a stage may change it until the call is made. */
  readonly metadata: Metadata;
  /**
   * When it must have ended, in milliseconds since the epoch; Infinity for no deadline. A stage may
   * bring it forward until the call is made.
   */
  deadline: number;
  /** Aborts when the call has ended, however that was. */
  readonly signal: AbortSignal;
  /** Values that stages keep for the duration of one call, by symbol. */
  readonly values: Map<symbol, unknown>;
  /** How often it was made again, by retries and hedging, before the attempt that counts; known at its end. */
  readonly resends: number;
  /**
   * The call or HTTP request under way that this one is made for; undefined if there is none, and with
   * `inherit: false`.
   */
  readonly parent: CallUnderWay | undefined;
}

/** A stage bound to one method: made once, called for every call. */
export interface BoundClientStage {
  /**
   * Called before the call is made. If it throws, the call is not made and the caller gets the error; a
   * promise is awaited, until the deadline of the call.
   */
  onCall?(call: OutgoingCall): void | Promise<void>;
  /**
   * Called once, when the response headers have arrived, for calls that it let through; its errors are
   * ignored.
   */
  onResponse?(call: OutgoingCall): void;
  /** Called once, at the end, for calls that it let through; its errors are ignored. */
  onEnd?(call: OutgoingCall, outcome: CallOutcome): void;
}

/**
 * A concern that every call of a client passes, in the order in which a client lists its stages. It
 * knows no transport, and no messages.
 */
export interface ClientStage {
  /** For messages about it. */
  readonly name: string;
  /** Resolves once what can be known before a call; null: not interested in the method. */
  bind(method: CallMethod): BoundClientStage | null;
  /** Its figures, which the module of clients shows with its own. Default: none. */
  metrics?(): Iterable<MetricReading>;
  /**
   * Its failures, which the module of clients checks, except for clients with `health: false`. Default:
   * none.
   */
  healthChecks?(): readonly HealthCheck[];
}
