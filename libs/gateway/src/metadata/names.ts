/** Headers that belong to one connection (RFC 9110 §7.6.1) or to the HTTP message itself. */
const MESSAGE_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Keys that Node's HTTP/2 sends with one value at most; with two the call would break. */
const SINGLE_VALUE = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'x-content-type-options',
]);

const KEY = /^[0-9a-z_.-]+$/;

/** True for what gRPC takes as a key, in lower case. */
export function isMetadataKey(key: string): boolean {
  return KEY.test(key);
}

/**
 * True for metadata that must not cross the gateway under a `Grpc-Metadata-` name, in either
 * direction: keys reserved by gRPC or by apix, pseudo-headers, and headers of the connection.
 */
export function isInternalKey(key: string): boolean {
  return (
    !isMetadataKey(key) ||
    key.startsWith('grpc-') ||
    key.startsWith('x-apix-') ||
    MESSAGE_HEADERS.has(key)
  );
}

/** True for a key that a call can carry only one value of. */
export function isSingleValue(key: string): boolean {
  return SINGLE_VALUE.has(key);
}
