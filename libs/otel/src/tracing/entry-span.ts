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

const ENTRY_SPAN = createContextKey('apix.otel.EntrySpan');

/** Under which a gRPC call keeps its span, for stages that run before there is a context. */
export const CALL_SPAN = Symbol.for('apix.otel.CallSpan');

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
  const span = spanBehind(call) ?? entrySpan()?.span ?? trace.getActiveSpan();
  span?.setAttributes(attributes);
}

function spanBehind(call: CallContext | undefined): Span | undefined {
  if (call === undefined || !('values' in call)) return undefined;
  const kept = (call as StagedCall).values.get(CALL_SPAN) as EntrySpan | undefined;
  return kept?.span;
}
