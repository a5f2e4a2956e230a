import type { StagedCall } from '@apix/contracts';
import type { Context, Span } from '@opentelemetry/api';
import { CALL_SPAN } from '../tracing/entry-span.js';

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
