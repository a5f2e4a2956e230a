/**
 * Reverses the percent-encoding of a variable that matches exactly one segment: everything is decoded
 * (google/api/http.proto, "Path template syntax").
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
export function decodeSegment(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/**
 * Reverses the percent-encoding of a variable that matches several segments: everything is decoded "except
 * `%2F` and `%2f` are left unchanged" (google/api/http.proto).
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
export function decodeSegments(text: string): string {
  if (!text.includes('%')) return text;
  let decoded = '';
  let from = 0;
  for (const slash of text.matchAll(/%2f/gi)) {
    decoded += decodeURIComponent(text.slice(from, slash.index)) + slash[0];
    from = slash.index + 3;
  }
  return decoded + decodeURIComponent(text.slice(from));
}
