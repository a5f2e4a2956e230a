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

/** What only the gateway may tell the server. */
const GATEWAY_KEYS = new Set([
  'authorization',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

const KEY = /^[0-9a-z_.-]+$/;

/**
 * True for metadata that must not cross the gateway under a `Grpc-Metadata-` name, in either
 * direction: keys reserved by gRPC or by apix, pseudo-headers, and headers of the connection.
 */
export function isInternalKey(key: string): boolean {
  return (
    !KEY.test(key) ||
    key.startsWith('grpc-') ||
    key.startsWith('x-apix-') ||
    MESSAGE_HEADERS.has(key)
  );
}

/** True for a key that a caller must not set under a `Grpc-Metadata-` name. */
export function isReservedForGateway(key: string): boolean {
  return isInternalKey(key) || GATEWAY_KEYS.has(key);
}
