import type { CallMethod } from './call-context.js';
import type { CallOutcome } from './call-stage.js';

/** Offered by otel; every client of `GrpcClientModule`, and the gateway over a network, make their calls through it. */
export const OUTGOING_STAGE = Symbol.for('apix.OutgoingStage');

/** Metadata of grpc-js on its way out. */
export interface OutgoingMetadata {
  /** Replaces the values of the key. */
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** A gRPC call on its way out. */
export interface OutboundCall {
  /** Where it goes: the endpoint, or `in-process`. */
  readonly target: string;
  /** What is sent with it. */
  readonly metadata: OutgoingMetadata;
  /** What stages keep for the length of one call, by symbol. */
  readonly values: Map<symbol, unknown>;
  /** How often it was made again before the attempt under way. */
  readonly resends: number;
}

/** A stage bound to one method: made once, called for every call. */
export interface BoundOutgoingStage {
  /** Before the call is made, where its caller runs. */
  onCall(call: OutboundCall): void;
  /** Once, at the end. */
  onEnd(call: OutboundCall, outcome: CallOutcome): void;
}

/** A concern of every call that the app makes itself, outside of the stages that a client lists. */
export interface OutgoingStage {
  readonly [OUTGOING_STAGE]: true;
  /** For messages about it. */
  readonly name: string;
  /** Resolves once what can be known before a call; null: not interested in the method. */
  bind(method: CallMethod): BoundOutgoingStage | null;
}
