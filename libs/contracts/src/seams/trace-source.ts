import { markClass } from '../brand.js';

/** Offered by whatever keeps traces in memory; read by the host page. */
export const TRACE_SOURCE = Symbol.for('apix.TraceSource');

/** As OpenTelemetry names them. */
export type RecentSpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/**
 * Summary of one request, message or run of this process. Do not trust its texts: callers can influence
 * them.
 */
export interface RecentTrace {
  /** Unique in the process, other than the trace id: a caller may send many requests with one. */
  readonly id: string;
  readonly traceId: string;
  readonly name: string;
  readonly kind: RecentSpanKind;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly failed: boolean;
  /** Whether the caller is to blame, as with a 4xx; then it has not failed. Default: false. */
  readonly refused?: boolean;
  /** What went wrong, for the operator; null if nothing did, or no reason was given. */
  readonly error: string | null;
  /** How many spans {@link RecentTraceSpans.spans} has. */
  readonly spanCount: number;
}

/** Something that was done for a request, and took time. */
export interface RecentSpan {
  readonly id: string;
  /** Null for one without a parent; that of the first is not in the list where another process made it. */
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: RecentSpanKind;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: 'unset' | 'ok' | 'error';
  /** The message of the status; null if it is empty. */
  readonly message: string | null;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A trace with its spans: the first is the one that it began with, the others follow as they ended. */
export interface RecentTraceSpans extends RecentTrace {
  readonly spans: readonly RecentSpan[];
  /** Spans that ended and were not kept. */
  readonly leftOut: number;
}

export interface TraceSource {
  readonly [TRACE_SOURCE]?: true;
  /** The traces that are kept now, each once, in any order. */
  traces(): readonly RecentTrace[];
  /** One trace with its spans; undefined once it is no longer kept. */
  trace(id: string): RecentTraceSpans | undefined;
}

/** Marks a provider of recent traces for the host page. The same as a property `[TRACE_SOURCE] = true`. */
export function TraceSource(): ClassDecorator {
  return markClass(TRACE_SOURCE);
}
