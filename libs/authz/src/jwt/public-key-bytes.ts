import { types } from 'node:util';

/**
 * Whether a key for HMAC is a public key or certificate, in PEM, DER, base64 or as a JWK: then anyone could
 * sign tokens with it (CVE-2023-48223).
 */
export function isPublicKeyBytes(key: unknown): boolean {
  const bytes = secretOf(key);
  if (bytes === undefined) return false;
  const text = bytes.toString('latin1');
  return (
    text.includes('-----BEGIN') ||
    /"kty"\s*:/.test(text) ||
    isDer(bytes) ||
    // As identity providers show it, without the lines of PEM around it; other texts give no DER.
    isDer(Buffer.from(text, 'base64'))
  );
}

/** The bytes of a secret in any form that jose takes; undefined for other keys. */
function secretOf(key: unknown): Buffer | undefined {
  const { KeyObject } = process.getBuiltinModule('node:crypto');
  if (types.isUint8Array(key)) return Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  if (types.isCryptoKey(key)) return secretOf(KeyObject.from(key));
  if (key instanceof KeyObject) return key.type === 'secret' ? key.export() : undefined;
  if (typeof key !== 'object' || key === null || !('k' in key)) return undefined;
  return typeof key.k === 'string' ? Buffer.from(key.k, 'base64url') : undefined;
}

const SEQUENCE = 0x30;

function isDer(bytes: Buffer): boolean {
  if (bytes[0] !== SEQUENCE) return false;
  const { X509Certificate, createPublicKey } = process.getBuiltinModule('node:crypto');
  const readers: readonly ((key: Buffer) => unknown)[] = [
    (key) => createPublicKey({ key, format: 'der', type: 'spki' }),
    (key) => createPublicKey({ key, format: 'der', type: 'pkcs1' }),
    (key) => new X509Certificate(key),
  ];
  return readers.some((read) => canRead(read, bytes));
}

function canRead(read: (key: Buffer) => unknown, bytes: Buffer): boolean {
  try {
    read(bytes);
    return true;
  } catch {
    return false;
  }
}
