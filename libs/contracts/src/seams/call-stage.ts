import { hasMark, markClass } from '../brand.js';
import type { Code } from '../code.js';
import type { StatusDetail } from '../status-error.js';
import type { CallContext, CallMethod } from './call-context.js';
import type { TraceIds } from './trace-ids.js';

/** Offered by otel, logx, authz, grpc/validation and apps; run by the call chain of `@apix/calls`. */
export const CALL_STAGE = Symbol.for('apix.CallStage');

/** A gRPC call on its way through the stages, from the network or in-process alike. */
export interface StagedCall extends CallContext {
  readonly door: 'grpc';
  /**
   * When the call must have ended, in milliseconds since the epoch; Infinity for no deadline.
   * Undefined where that is not known.
   */
  readonly deadline?: number | undefined;
  /**
   * The id of the request that the call is a part of: the id that a stage has set here or as the header
   * `x-request-id`, else the one that the call arrived with under that key. Undefined if there is neither.
   */
  requestId?: string | undefined;
  /** The span of the call, as the stage `trace` has made it. Undefined where nothing makes spans. */
  trace?: TraceIds | undefined;
  /** Adds a response header; no effect once headers are sent. */
  setHeader(key: string, value: string): void;
  /** What stages and handlers share for the length of one call, by symbol. */
  readonly values: Map<symbol, unknown>;
  /**
   * Runs `read` in the asynchronous context of the caller, where that is in this process, so that
   * a stage can find out what the call is a part of. Undefined for calls from the network.
   */
  inCallersContext?<T>(read: () => T): T | undefined;
}

/** How a call ended. Reported exactly once for each call. */
export interface CallOutcome {
  readonly code: Code;
  /** The status message that the caller sees. */
  readonly message: string;
  /** The error, if one was thrown. */
  readonly error?: unknown;
  /** True when the caller gave up: its own cancellation or its deadline. */
  readonly cancelled: boolean;
}

/**
 * A stage bound to one method: made once, called for every call. Each hook denies the call by
 * throwing a StatusError (anything else thrown becomes INTERNAL and never lets the call in).
 * A hook is synchronous unless it returns a promise; the call then waits for it. Messages are
 * the decoded ones.
 */
export interface BoundCallStage {
  /** Before the first message is decoded. */
  onCall?(call: StagedCall): void | Promise<void>;
  /**
   * Returns what every stage and the handler get in place of a request message: the same, or a copy that no one else
   * has. Before `onMessage` of any stage. An error that it throws denies the call. Not for a stage before `authz`.
   */
  toReceive?(call: StagedCall, message: unknown): unknown;
  /** For each request message, before the handler sees it. Not for a stage before `authz`. */
  onMessage?(call: StagedCall, message: unknown): void | Promise<void>;
  /**
   * For a stream of requests that ends without a message. The handler of a method with streamed requests
   * starts with the call; where a stage has this hook, it starts only when the first message has passed
   * `onMessage` of every stage, or the stream has ended and passed this.
   */
  onNoMessage?(call: StagedCall): void;
  /**
   * Returns what is sent in place of a response message: the same, or a copy, since the handler may keep the given one.
   * Before `onSend` of any stage. An error that it throws ends the call, and the message is not sent.
   */
  toSend?(call: StagedCall, message: unknown): unknown;
  /**
   * Returns what is sent in place of the details of a status that is not OK. If it throws, none are sent.
   */
  detailsToSend?(call: StagedCall, details: readonly StatusDetail[]): readonly StatusDetail[];
  /** For each response message, before it is encoded. */
  onSend?(call: StagedCall, message: unknown): void;
  /** Once, at the end, however the call ended; what it throws is ignored. */
  onEnd?(call: StagedCall, outcome: CallOutcome): void;
  /** Runs `onCall` of the stages after this one, so that a stage can put a context around it. */
  withinStages?(call: StagedCall, run: () => void): void;
  /** Runs the handler's part of the call, so that a stage can put a context around it. */
  within?(call: StagedCall, run: () => void): void;
}

/**
 * A concern that every gRPC call passes through, whether it comes from the network, in-process
 * or from REST. It knows no transport. The stages of apix are `trace`, `log`, `authz` and
 * `validation`.
 */
export interface CallStage {
  readonly [CALL_STAGE]?: true;
  /** Unique among the stages of a server. */
  readonly name: string;
  /** Names of stages that a call passes before this one; one that is not there is ignored. */
  readonly after?: readonly string[];
  /**
   * Names of stages that a call passes after this one. A stage that is not `before` one of
   * `trace`, `log` and `authz`, directly or through others, comes after it: it runs for calls
   * that are traced, logged and allowed.
   */
  readonly before?: readonly string[];
  /**
   * Resolves once, for one method, all that can be known before a call; null: not interested.
   * Called at start for every method that the server serves.
   */
  bind(method: CallMethod): BoundCallStage | null;
}

/** Marks a provider as a stage of the call chain. The same as a property `[CALL_STAGE] = true`. */
export function CallStage(): ClassDecorator {
  return markClass(CALL_STAGE);
}

/** Recognises a stage of any installed copy. */
export function isCallStage(value: unknown): value is CallStage {
  return hasMark(value, CALL_STAGE);
}

/** Where a gRPC call is kept on the metadata that its handler gets. */
export const STAGED_CALL = Symbol.for('apix.StagedCall');

interface CallCarrier {
  readonly [STAGED_CALL]?: StagedCall;
}

/** The staged call that a handler's metadata belongs to; undefined without a stage chain. */
export function stagedCallOf(metadata: object | undefined): StagedCall | undefined {
  const carrier: CallCarrier | undefined = metadata;
  return carrier?.[STAGED_CALL];
}
