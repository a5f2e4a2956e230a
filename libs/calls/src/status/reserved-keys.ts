/** Keys that belong to gRPC or HTTP/2, that HTTP/2 forbids (RFC 9113 §8.2.2), or that get lost. */
const RESERVED: ReadonlySet<string> = new Set([
  '__proto__',
  'connection',
  'content-length',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-message',
  'grpc-status',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Whether metadata under this key cannot be sent. A colon begins the keys of HTTP/2 itself and is for no
 * others (RFC 9110 §5.6.2): grpc-js takes it anywhere in a key, and from Node 26 on sending it throws.
 */
export function isTransportKey(key: string): boolean {
  return RESERVED.has(key) || key.includes(':');
}

/** Further keys that describe the call or message that they came with, and no other. */
const OF_ONE_CALL = /^(?:grpc-|content-|trailer$|host$|date$|user-agent$)/;

/** Whether metadata under this key, of a call that was received, is not to be passed on. */
export function isKeyOfOneCall(key: string): boolean {
  return isTransportKey(key) || OF_ONE_CALL.test(key);
}
