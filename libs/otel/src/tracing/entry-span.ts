import type { CallContext, StagedCall } from '@apix/contracts';
import {
  type Attributes,
  type Context,
  type Span,
  context,
  createContextKey,
  trace,
} from '@opentelemetry/api';

/** The span of a request or call under way, by which it came in. */
export interface EntrySpan {
  readonly span: Span;
  /** Called for what failed in it, whether or not that becomes its outcome. Default: nothing. */
  failed?(error: unknown): void;
}

/** The span of a gRPC call until the call ends. */
export interface CallSpan extends EntrySpan {
  /** With the span in it. */
  readonly context: Context;
  /** By `performance.now()`. */
  readonly begun: number;
}

const ENTRY_SPAN = createContextKey('apix.otel.EntrySpan');

/** Key of the {@link CallSpan} in the values of a call, for stages that run before there is a context. */
export const CALL_SPAN = Symbol.for('apix.otel.CallSpan');

/** The span of a gRPC call; undefined where it has none. */
export function spanOfCall({ values }: Pick<StagedCall, 'values'>): CallSpan | undefined {
  return values.get(CALL_SPAN) as CallSpan | undefined;
}

/** A context in which the span is active, also for {@link addToSpan} where other spans are active inside it. */
export function withEntrySpan(outer: Context, entry: EntrySpan): Context {
  return trace.setSpan(outer, entry.span).setValue(ENTRY_SPAN, entry);
}

/** The same context without any span; {@link addToSpan} finds none either. */
export function withoutSpans(context: Context): Context {
  return trace.deleteSpan(context).deleteValue(ENTRY_SPAN);
}

/** The entry span of the current code; undefined outside of requests and calls. */
export function entrySpan(): EntrySpan | undefined {
  return context.active().getValue(ENTRY_SPAN) as EntrySpan | undefined;
}

/**
 * Adds attributes to the span of the request or call under way, wherever in it the code runs; outside of
 * them to the active span. Does nothing if there is none.
 *
 * @param call for code at the entry point of a gRPC call that has no context yet, such as a call stage.
 *   Default: the call that the current code runs in.
 */
export function addToSpan(attributes: Attributes, call?: CallContext): void {
  const kept = call !== undefined && 'values' in call ? spanOfCall(call as StagedCall) : undefined;
  const span = kept?.span ?? entrySpan()?.span ?? trace.getActiveSpan();
  span?.setAttributes(attributes);
}
