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

/** What a method that is not known is called in attributes. */
export const OTHER_METHOD = '_OTHER';

/** The value of `http.request.method`. */
export function knownMethod(method: string | undefined): string {
  return method !== undefined && KNOWN.has(method) ? method : OTHER_METHOD;
}

/** What a span's name begins with. */
export function methodInName(known: string): string {
  return known === OTHER_METHOD ? 'HTTP' : known;
}
