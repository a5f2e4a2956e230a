const TRACE_PARENT =
  /^(?!ff|00-.{52}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;

/** The ids inside a `traceparent` header. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Reads a `traceparent` header (W3C Trace Context); only versions above 00 may have more fields. Undefined if invalid. */
export function parseTraceParent(header: unknown): TraceParent | undefined {
  const match = typeof header === 'string' ? TRACE_PARENT.exec(header) : null;
  return match === null ? undefined : { traceId: match[1]!, spanId: match[2]! };
}
