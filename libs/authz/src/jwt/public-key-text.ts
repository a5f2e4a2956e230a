import { KeyObject } from 'node:crypto';

/** As long as a key in PEM may begin later, after comments and white space. */
const LOOKED_AT = 4_096;

/**
 * Whether a key for HMAC is the text of a public key, in PEM or as a JWK: then everybody could
 * sign tokens with it (CVE-2023-48223).
 */
export function isPublicKeyText(key: unknown): boolean {
  const bytes = secretOf(key);
  if (bytes === undefined) return false;
  const text = Buffer.from(bytes).toString('latin1', 0, LOOKED_AT);
  return text.includes('-----BEGIN') || /"kty"\s*:/.test(text);
}

function secretOf(key: unknown): Uint8Array | undefined {
  if (key instanceof Uint8Array) return key;
  return key instanceof KeyObject && key.type === 'secret' ? key.export() : undefined;
}
