/** On the request of HTTP, so that all installed copies find it. */
const FAILURE = Symbol.for('apix.RequestFailure');

interface Failed {
  [FAILURE]?: { readonly error: unknown };
}

/**
 * Records why a request gets an answer that is an error, for what reports it at its end: for errors that no handler of
 * Nest has thrown and no call has reported. The first record counts.
 */
export function noteRequestError(request: object, error: unknown): void {
  (request as Failed)[FAILURE] ??= { error };
}

/** What was recorded, in an object, as anything may be thrown; undefined if nothing was. */
export function notedRequestError(request: object): { readonly error: unknown } | undefined {
  return (request as Failed)[FAILURE];
}
