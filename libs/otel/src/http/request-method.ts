/** RFC 9110 and RFC 5789; the others are one value, as callers may make them up. */
const KNOWN: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** The name of an unknown method in attributes. */
export const OTHER_METHOD = '_OTHER';

/** The value of `http.request.method`. */
export function knownMethod(method: string | undefined): string {
  return method !== undefined && KNOWN.has(method) ? method : OTHER_METHOD;
}

/** The beginning of a span's name. */
export function methodInName(known: string): string {
  return known === OTHER_METHOD ? 'HTTP' : known;
}
