import { type Mistakes, shownValue } from '@apix/contracts';
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

/** Notes what is wrong with a key source, as far as it shows before a token comes. */
export function checkKeySource(source: KeySource | undefined, mistakes: Mistakes): void {
  if (!source) {
    mistakes.add('jwks', 'must be the keys that sign tokens, or their http(s) URL');
    return;
  }
  if (typeof source === 'string' || source instanceof URL) {
    const url = String(source);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      mistakes.add('jwks', `must be an http(s) URL, not ${shownValue(url)}`);
    }
    return;
  }
  if (typeof source === 'object' && 'type' in source && source.type === 'private') {
    mistakes.add('jwks', 'must be a public key, not a private one');
  }
}

/**
 * The key for a token. A set of keys that cannot be read is another error than a wrong token.
 */
export function keyGetter(source: KeySource): JWTVerifyGetKey {
  const get = getterOf(source);
  return async (header, token) => {
    try {
      return await get(header, token);
    } catch (error) {
      throw isOfToken(error)
        ? error
        : new KeysUnavailable('authz: the keys that sign tokens are not available', {
            cause: error,
          });
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
