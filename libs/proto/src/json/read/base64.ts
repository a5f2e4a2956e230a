const PADDED = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * The bytes of a base64 text in the standard or the URL-safe alphabet, with or without padding
 * (RFC 4648); undefined where it is neither.
 */
export function base64Bytes(text: string): Uint8Array | undefined {
  if (!PADDED.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.length - padding;
  const hasRoom = padding === 0 ? digits % 4 !== 1 : text.length % 4 === 0;
  return hasRoom ? new Uint8Array(Buffer.from(text, 'base64')) : undefined;
}
