/** Which span work is a part of, in the form of W3C Trace Context. */
export interface TraceIds {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** 16 hexadecimal digits in lower case. */
  readonly spanId: string;
}

/** On the global object, so that all installed copies ask the same one. */
const SOURCE = Symbol.for('apix.ActiveTrace');

/** Tells the span that the current code runs in; undefined outside of any. */
export type ActiveTrace = () => TraceIds | undefined;

const shared = globalThis as typeof globalThis & { [SOURCE]?: ActiveTrace };

/**
 * Called by a tracer, for code that reports spans, such as a logger: from now on {@link activeTrace} asks
 * it.
 *
 * @returns a function that undoes it.
 */
export function offerActiveTrace(source: ActiveTrace): () => void {
  const before = shared[SOURCE];
  shared[SOURCE] = source;
  return () => {
    if (shared[SOURCE] !== source) return;
    if (before === undefined) delete shared[SOURCE];
    else shared[SOURCE] = before;
  };
}

/** The span that the current code runs in; undefined outside of any span, and without a tracer. */
export function activeTrace(): TraceIds | undefined {
  return shared[SOURCE]?.();
}
