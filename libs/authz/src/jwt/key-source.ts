import {
  type CryptoKey,
  type JWTVerifyGetKey,
  type KeyObject,
  createRemoteJWKSet,
  errors,
} from 'jose';

/** Where the keys come from. */
export type KeySource =
  /**
   * The address of a JWKS document, fetched when first needed, every ten minutes, and when a key
   * is not known.
   */
  | URL
  | string
  /** One public key. */
  | CryptoKey
  | KeyObject
  /** What jose's `createRemoteJWKSet` and `createLocalJWKSet` make. */
  | JWTVerifyGetKey;

/** The keys cannot be had now, whatever the token may be. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Shorter than the subject function's default time, so that the caller learns the cause. */
const FETCH_TIMEOUT_MS = 3_000;

/** What is wrong with a key source, as far as it shows before a token comes. */
export function keySourceMistakes(source: KeySource | undefined): string[] {
  if (!source) return ['bearerSubject: jwks is required: the keys that sign tokens'];
  if (typeof source === 'string') {
    const web = URL.canParse(source) && /^https?:$/.test(new URL(source).protocol);
    return web ? [] : [`bearerSubject: jwks: "${source}" is no http(s) address`];
  }
  const isPrivate = typeof source === 'object' && 'type' in source && source.type === 'private';
  return isPrivate ? ['bearerSubject: jwks is a private key: give its public half'] : [];
}

/**
 * The key for a token. What keeps a set of keys from being read is told apart from what is
 * wrong with a token.
 */
export function keyGetter(source: KeySource): JWTVerifyGetKey {
  const get = getterOf(source);
  return async (header, token) => {
    try {
      return await get(header, token);
    } catch (error) {
      throw isOfToken(error)
        ? error
        : new KeysUnavailable('authz: the keys that sign tokens cannot be had', { cause: error });
    }
  };
}

function getterOf(source: KeySource): JWTVerifyGetKey {
  if (typeof source === 'function') return source;
  if (typeof source === 'string' || source instanceof URL) {
    return createRemoteJWKSet(new URL(source), { timeoutDuration: FETCH_TIMEOUT_MS });
  }
  return () => source;
}

/** By code, because an app's key set may come from a jose of its own. */
const OF_TOKEN: readonly unknown[] = [
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JOSENotSupported.code,
];

/** The token's algorithm or key id is not among ours. */
function isOfToken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_TOKEN.includes(error.code);
}
