import { type Clock, type Mistakes, shownValue } from '@apix/contracts';
import type { CryptoKey, JWTVerifyGetKey, KeyObject } from 'jose';
import { errors } from '../npm-install/jose.js';
import { isPublicKeyBytes } from './public-key-bytes.js';
import { RemoteKeys } from './remote-keys.js';

/** Where the keys come from. */
export type KeySource =
  /**
   * The address of a JWKS document, fetched when first needed, every ten minutes, and when a key
   * is not known, at most once in thirty seconds; after a failure again in a second, then in two, up to
   * thirty. An answer has three seconds and a mebibyte, and no redirect is followed.
   */
  | URL
  | string
  /** One public key. */
  | CryptoKey
  | KeyObject
  /** The result of jose's `createRemoteJWKSet` and `createLocalJWKSet`. */
  | JWTVerifyGetKey;

/** The keys are not available now; this says nothing about the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Records the mistakes of a key source that can be seen before the first token. */
export function checkKeySource(source: KeySource | undefined, mistakes: Mistakes): void {
  if (!source) {
    mistakes.add('jwks', 'must be the keys that sign tokens, or their http(s) URL');
    return;
  }
  if (typeof source === 'string' || source instanceof URL) {
    const url = String(source);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      mistakes.add('jwks', `must be an http(s) URL, not ${shownValue(url)}`);
    } else if (new URL(url).username !== '' || new URL(url).password !== '') {
      mistakes.add('jwks', 'must be a URL without a user name and password');
    }
    return;
  }
  if (isPublicKeyBytes(source)) {
    mistakes.add('jwks', 'must be a key object, not a public key as a secret');
    return;
  }
  if (typeof source === 'object' && 'type' in source && source.type === 'private') {
    mistakes.add('jwks', 'must be a public key, not a private one');
  }
}

/**
 * The key for a token. A set of keys that cannot be read is another error than a wrong token.
 */
export function keyGetter(source: KeySource, maxStaleMs: number, clock: Clock): JWTVerifyGetKey {
  const get = getterOf(source, maxStaleMs, clock);
  /**
   * Cached, because keys are few and tokens many: checking a secret's bytes takes up to half as long as
   * using it.
   */
  const checked = new WeakSet<object>();
  return async (header, token) => {
    const key = await available(() => get(header, token));
    if (checked.has(key)) return key;
    // Publicly known bytes must not be accepted as a secret.
    if (isPublicKeyBytes(key)) throw new TypeError('authz: a public key is not a secret');
    checked.add(key);
    return key;
  };
}
async function available<T>(get: () => T | Promise<T>): Promise<T> {
  try {
    return await get();
  } catch (error) {
    throw isOfToken(error)
      ? error
      : new KeysUnavailable('authz: the keys that sign tokens are not available', {
          cause: error,
        });
  }
}

function getterOf(source: KeySource, maxStaleMs: number, clock: Clock): JWTVerifyGetKey {
  if (typeof source === 'function') return source;
  if (typeof source === 'string' || source instanceof URL) {
    const keys = new RemoteKeys(new URL(source), maxStaleMs, clock);
    return (header, token) => keys.get(header, token);
  }
  return () => source;
}

/** Recognised by code, because an app's key set may come from another copy of jose. */
const OF_TOKEN: readonly unknown[] = [
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JOSENotSupported.code,
];

/** The token's algorithm or key id is not among ours. */
function isOfToken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_TOKEN.includes(error.code);
}
