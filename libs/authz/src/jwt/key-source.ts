import { type Clock, type Mistakes, OptionsError, shownValue } from '@apix/contracts';
import type { CryptoKey, JWTVerifyGetKey, KeyObject } from 'jose';
import { errors } from '../npm-install/jose.js';
import { PUBLIC_KEY_ALGORITHMS, isKey } from './key-algorithms.js';
import { KeyFile } from './key-file.js';
import { isPublicKeyBytes } from './public-key-bytes.js';
import { RemoteKeys } from './remote-keys.js';
import { keyMistake, keySetMistake } from './usable-keys.js';

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
  /** The keys of a file. */
  | KeyFile
  /** The result of jose's `createRemoteJWKSet` and `createLocalJWKSet`. */
  | JWTVerifyGetKey;

/** The keys are not available now; this says nothing about the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * Records the mistakes of a key source that can be seen before the first token.
 *
 * @param accepted the algorithms of tokens, at least one of which the keys must fit.
 */
export function checkKeySource(
  source: KeySource | undefined,
  accepted: readonly string[],
  mistakes: Mistakes,
): void {
  const mistake = sourceMistake(source, accepted);
  if (mistake !== undefined) mistakes.add('jwks', mistake);
}

function sourceMistake(
  source: KeySource | undefined,
  accepted: readonly string[],
): string | undefined {
  if (!source) return 'must be the keys that sign tokens, or their http(s) URL';
  if (typeof source === 'string' || source instanceof URL) return urlMistake(source, accepted);
  if (typeof source === 'function') return localSetMistake(source, accepted);
  if (source instanceof KeyFile) return fileMistake(source, accepted);
  if (isPublicKeyBytes(source)) return 'must be a key object, not a public key as a secret';
  if (!isKey(source)) {
    const forms =
      'a key, a KeyFile, a URL, or a function such as createLocalJWKSet of jose returns';
    return `must be ${forms}, not ${shownValue(source)}`;
  }
  if ('type' in source && source.type === 'private') {
    return 'must be a public key, not a private one';
  }
  const mistake = keyMistake(source, accepted);
  return mistake && `cannot verify tokens: the key ${mistake}`;
}

function urlMistake(source: string | URL, accepted: readonly string[]): string | undefined {
  const text = String(source);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    return `must be an http(s) URL, not ${shownValue(text)}`;
  }
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must be a URL without a user name and password';
  if (accepted.some((name) => PUBLIC_KEY_ALGORITHMS.includes(name))) return undefined;
  return `must be a secret: key sets have none, and accepted are ${accepted.join(', ')}`;
}

/** Sets of `createLocalJWKSet` show their keys; the keys of other functions are not known yet. */
function localSetMistake(source: object, accepted: readonly string[]): string | undefined {
  if (!('jwks' in source) || typeof source.jwks !== 'function' || 'reload' in source) {
    return undefined;
  }
  const mistake = keySetMistake(source.jwks(), accepted);
  return mistake && `the key set ${mistake}`;
}

function fileMistake(file: KeyFile, accepted: readonly string[]): string | undefined {
  try {
    file.require(accepted);
    return undefined;
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    return error.mistakes.join('; ');
  }
}

/** A key that verifies every token, or what finds that of each. */
export type TokenKey = CryptoKey | KeyObject | JWTVerifyGetKey;

/**
 * The key of tokens. One that is given is not asked for at each of them, as it was checked with the options. A set of keys
 * that cannot be read is another error than a wrong token.
 */
export function tokenKey(source: KeySource, maxStaleMs: number, clock: Clock): TokenKey {
  const get = getterOf(source, maxStaleMs, clock);
  if (typeof get !== 'function') return get;
  /**
   * Cached, because keys are few and tokens many: checking a secret's bytes takes up to half as long as
   * using it.
   */
  const checked = new WeakSet<object>();
  return async (header, token) => {
    let key: Awaited<ReturnType<JWTVerifyGetKey>>;
    try {
      key = await get(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      const message = 'authz: the keys that sign tokens are not available';
      throw new KeysUnavailable(message, { cause: error });
    }
    if (checked.has(key)) return key;
    // Publicly known bytes must not be accepted as a secret.
    if (isPublicKeyBytes(key)) throw new TypeError('authz: a public key is not a secret');
    checked.add(key);
    return key;
  };
}

function getterOf(source: KeySource, maxStaleMs: number, clock: Clock): TokenKey {
  if (typeof source === 'function') return source;
  if (typeof source === 'string' || source instanceof URL) {
    const keys = new RemoteKeys(new URL(source), maxStaleMs, clock);
    return (header, token) => keys.get(header, token);
  }
  return source instanceof KeyFile ? source.get : source;
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
