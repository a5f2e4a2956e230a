/** Of these, sent several times, `http.IncomingMessage.headers` has the first value alone. */
const FIRST_KEPT = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/**
 * The values of one header of a request as the app's middleware left it: none where it deleted the header,
 * and the new value where it set one. For a header that it did not touch: every value that was received,
 * where Node joins most values and drops some. Of a header of which it keeps
 * the first value alone over HTTP/2, but not over HTTP/1, the first value counts, as it does in `headers`.
 *
 * @param name in lower case.
 * @param now what `headers` has under the name.
 * @param received every value of the name in `rawHeaders`, in order.
 */
// Why: docs/decisions/0021
export function headerValues(
  name: string,
  now: string | readonly string[] | undefined,
  received: readonly string[],
): readonly string[] {
  if (now === undefined) return [];
  if (typeof now !== 'string') return now;
  const isAsReceived =
    now === received.join(', ') ||
    now === received.join('; ') ||
    (now === received[0] && FIRST_KEPT.has(name));
  return isAsReceived ? received : [now];
}
