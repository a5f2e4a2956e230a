import type { KeyObject } from 'node:crypto';
import { types } from 'node:util';
import { type Mistakes, shownValue } from '@apix/contracts';
import type { CryptoKey, JWK } from 'jose';

const SIZES = ['256', '384', '512'];
const family = (name: string): readonly string[] => SIZES.map((size) => `${name}${size}`);

/** The signature algorithms of RSA keys. */
const RSA_ALGORITHMS = [...family('PS'), ...family('RS')];

/** The signature algorithm of each elliptic curve, by the name that RFC 7518 gives the curve. */
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

/** Both names of the signature algorithm of Ed25519 keys (RFC 8037, RFC 9864). */
const ED25519_ALGORITHMS = ['EdDSA', 'Ed25519'];

/** The algorithms of secrets. */
const SECRET_ALGORITHMS = family('HS');

/** The algorithms of keys whose JWK has the type AKP. */
const AKP_ALGORITHMS = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];

/** The asymmetric algorithms that are accepted if an app names none. */
export const DEFAULT_ALGORITHMS: readonly string[] = [
  ...ED25519_ALGORITHMS,
  ...Object.values(CURVE_ALGORITHMS),
  ...RSA_ALGORITHMS,
];

/** Every algorithm of key pairs. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [...DEFAULT_ALGORITHMS, ...AKP_ALGORITHMS];

const KNOWN: readonly string[] = [...PUBLIC_KEY_ALGORITHMS, ...SECRET_ALGORITHMS];

/**
 * Records names of algorithms by which no token could be accepted, or any could.
 *
 * @returns the algorithms by which keys can be judged: all of them if no name is known.
 */
export function checkAlgorithms(names: readonly string[], mistakes: Mistakes): readonly string[] {
  for (const name of names) {
    if (name.toLowerCase() === 'none') {
      mistakes.add(
        'algorithms',
        'must not contain "none", which accepts tokens that no key signed',
      );
    } else if (name !== '' && !KNOWN.includes(name)) {
      const list = KNOWN.join(', ');
      mistakes.add('algorithms', `${shownValue(name)} is not a signature algorithm; use ${list}`);
    }
  }
  const known = names.filter((name) => KNOWN.includes(name));
  return known.length > 0 ? known : KNOWN;
}

/** A key by which no token can be verified; the message completes a sentence about the key. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/** The shortest RSA keys with which signatures are accepted (RFC 7518, section 3.3). */
const LEAST_RSA_BITS = 2048;

/** `prime256v1` is what OpenSSL calls the first curve of RFC 7518. */
const CURVE_NAMES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/** Whether a value has a form of key that jose takes. */
export function isKey(value: unknown): value is object {
  const { KeyObject } = process.getBuiltinModule('node:crypto');
  if (types.isUint8Array(value) || types.isCryptoKey(value)) return true;
  return value instanceof KeyObject || isJwk(value);
}

function isJwk(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && 'kty' in value;
}

/**
 * The algorithms of the signatures that a key can verify, of a key in any form that jose takes.
 *
 * @throws UnusableKey if there are none.
 */
export function keyAlgorithms(key: unknown): readonly string[] {
  const { KeyObject } = process.getBuiltinModule('node:crypto');
  if (types.isUint8Array(key)) return ofSecret(key.length);
  if (types.isCryptoKey(key)) return ofCryptoKey(key);
  if (key instanceof KeyObject) return ofKeyObject(key);
  if (isJwk(key)) return ofJwk(key);
  throw new UnusableKey('is not a key');
}

function ofSecret(bytes: number | undefined): readonly string[] {
  if (bytes === 0) throw new UnusableKey('is an empty secret');
  return SECRET_ALGORITHMS;
}

function ofCryptoKey({ type, algorithm, usages }: CryptoKey): readonly string[] {
  if (type === 'private') throw new UnusableKey('is a private key');
  if (!usages.includes('verify')) throw new UnusableKey('must not be used to verify');
  const { name, hash, namedCurve, modulusLength } = algorithm as AlgorithmOfAnyKind;
  const size = hash?.name.replace('SHA-', '') ?? '';
  switch (name) {
    case 'RSASSA-PKCS1-v1_5':
      return longEnough(modulusLength, [`RS${size}`]);
    case 'RSA-PSS':
      return longEnough(modulusLength, [`PS${size}`]);
    case 'ECDSA':
      return ofCurve(namedCurve);
    case 'HMAC':
      return [`HS${size}`];
    default:
      return ofType(name);
  }
}

interface AlgorithmOfAnyKind {
  readonly name: string;
  readonly hash?: { readonly name: string };
  readonly namedCurve?: string;
  readonly modulusLength?: number;
}

function ofKeyObject(key: KeyObject): readonly string[] {
  if (key.type === 'private') throw new UnusableKey('is a private key');
  if (key.type === 'secret') return ofSecret(key.symmetricKeySize);
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = key;
  if (type === 'rsa') return longEnough(details?.modulusLength, RSA_ALGORITHMS);
  if (type === 'ec') return ofCurve(CURVE_NAMES[details?.namedCurve ?? ''] ?? details?.namedCurve);
  return ofType(type);
}

function ofCurve(curve = ''): readonly string[] {
  const algorithm = CURVE_ALGORITHMS[curve];
  if (algorithm === undefined)
    throw new UnusableKey(`has the curve ${curve}, which signs no token`);
  return [algorithm];
}

function ofType(type: string): readonly string[] {
  if (type.toLowerCase() === 'ed25519') return ED25519_ALGORITHMS;
  const name = type.toUpperCase();
  if (AKP_ALGORITHMS.includes(name)) return [name];
  throw new UnusableKey(`has the type ${type}, which signs no token`);
}

function longEnough(bits = 0, algorithms: readonly string[]): readonly string[] {
  if (bits >= LEAST_RSA_BITS) return algorithms;
  throw new UnusableKey(`has ${bits} bits; at least ${LEAST_RSA_BITS} are required`);
}

function ofJwk(jwk: JWK): readonly string[] {
  const { alg, use, key_ops: operations } = jwk;
  if (jwk.d !== undefined || 'priv' in jwk) throw new UnusableKey('is a private key');
  if (use !== undefined && use !== 'sig') throw new UnusableKey('has a "use" other than "sig"');
  const isForTokens = Array.isArray(operations) && operations.includes('verify');
  if (operations !== undefined && !isForTokens) {
    throw new UnusableKey('has "key_ops" without "verify"');
  }
  const algorithms = ofMembers(jwk);
  if (alg === undefined) return algorithms;
  if (!algorithms.includes(alg)) {
    throw new UnusableKey(`has an "alg" that does not fit its type ${String(jwk.kty)}`);
  }
  return [alg];
}

function ofMembers(jwk: JWK): readonly string[] {
  // Older versions of Node do not know the type.
  if (jwk.kty === 'AKP' && typeof jwk.pub === 'string') return AKP_ALGORITHMS;
  if (jwk.kty === 'oct' && typeof jwk.k === 'string') return ofSecret(jwk.k.length);
  const { createPublicKey } = process.getBuiltinModule('node:crypto');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw new UnusableKey(`does not have the members of a public key of type ${String(jwk.kty)}`);
  }
  return ofKeyObject(key);
}
