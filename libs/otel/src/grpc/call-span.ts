import {
  type CallMetadata,
  type CallOutcome,
  Code,
  codeName,
  type OutgoingMetadata,
  type StagedCall,
  thrownError,
} from '@apix/contracts';
import {
  type Context,
  type Span,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';
import { ERROR_TYPE, RPC_STATUS_CODE } from '../names.js';
import { CALL_SPAN } from '../tracing/entry-span.js';
import { recordException } from '../tracing/span-failure.js';

/** Keys that may be sent in several parts (W3C Trace Context, W3C Baggage). */
const LISTS: ReadonlySet<string> = new Set(['tracestate', 'baggage']);

/**
 * Reads the trace of a caller from its metadata. A key with several values is ignored, unless it is a list
 * (W3C Trace Context §3.2.2.1).
 */
export const metadataGetter: TextMapGetter<CallMetadata> = {
  get(metadata, key) {
    const values = metadata.get(key);
    if (values.length <= 1) return values[0];
    return LISTS.has(key) ? values.join(',') : undefined;
  },
  keys: (metadata) => [...metadata.keys()],
};

/** Puts a value instead of those that are there. */
export const metadataSetter: TextMapSetter<OutgoingMetadata> = {
  set: (metadata, key, value) => metadata.set(key, value),
};

/** Whether a call with this code has failed, as one end sees it. */
type FailureRule = (code: Code) => boolean;

const SERVERS_FAULT: ReadonlySet<Code> = new Set([
  Code.UNKNOWN,
  Code.DEADLINE_EXCEEDED,
  Code.UNIMPLEMENTED,
  Code.INTERNAL,
  Code.UNAVAILABLE,
  Code.DATA_LOSS,
]);

/** For a server: the codes that are its own fault, by the semantic conventions for gRPC. */
export const failedAtServer: FailureRule = (code) => SERVERS_FAULT.has(code);

/** For a client: everything but an answer. */
export const failedAtClient: FailureRule = (code) => code !== Code.OK;

/** Writes on a span that is recorded how its call ended. */
export function recordOutcome(
  span: Span,
  { code, message, error }: CallOutcome,
  hasFailed: FailureRule,
): void {
  const name = codeName(code);
  span.setAttribute(RPC_STATUS_CODE, name);
  // Why: docs/decisions/0284
  if (!hasFailed(code)) return;
  span.setAttribute(ERROR_TYPE, name);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  if (error !== undefined) recordException(span, thrownError(error));
}

/** A span of a call, and what is needed to end it. */
export interface CallSpan {
  readonly span: Span;
  /** With the span in it. */
  readonly context: Context;
  /** Of `MethodDurations.begin`. */
  readonly begun: number;
}

/** A call that keeps things for the length of it. */
type Keeping = Pick<StagedCall, 'values'>;

/** Keeps a call's span until its end. */
export function keepSpan(call: Keeping, span: CallSpan): void {
  call.values.set(CALL_SPAN, span);
}

/** The span of a call; undefined where it has none. */
export function spanOfCall(call: Keeping): CallSpan | undefined {
  return call.values.get(CALL_SPAN) as CallSpan | undefined;
}
