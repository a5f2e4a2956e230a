import type { CryptoKey, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, KeyObject } from 'jose';
import { errors, jwtVerify } from '../npm-install/jose.js';

/**
 * How many keys are tried for a token that could be signed with several, because it names none. Each one costs
 * a verification, and anyone can send tokens; providers publish two or three keys.
 */
export const MAX_TRIED_KEYS = 8;

/**
 * The claims of a token, verified with its key; if it fits several keys, because it has no key id or they share
 * one, with each of them until its signature is right.
 *
 * @throws jose's error for a token that is not valid, and whatever `key` throws.
 */
export async function verifyToken(
  token: string,
  key: JWTVerifyGetKey,
  settings: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, settings)).payload;
  } catch (error) {
    if (!isOfSeveral(error)) throw error;
    return await verifyWithEach(token, error, settings);
  }
}

type SeveralKeys = Error & AsyncIterable<CryptoKey | KeyObject>;

async function verifyWithEach(
  token: string,
  keys: SeveralKeys,
  settings: JWTVerifyOptions,
): Promise<JWTPayload> {
  let failure: unknown = keys;
  let tried = 0;
  for await (const key of keys) {
    if (tried === MAX_TRIED_KEYS) break;
    tried += 1;
    try {
      return (await jwtVerify(token, key, settings)).payload;
    } catch (error) {
      // The signature was right: no other key would change what the token says.
      if (isOfClaims(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** By code and shape, because an app's key set may come from another copy of jose. */
function isOfSeveral(error: unknown): error is SeveralKeys {
  return (
    error instanceof Error &&
    codeOf(error) === errors.JWKSMultipleMatchingKeys.code &&
    Symbol.asyncIterator in error
  );
}

const OF_CLAIMS: readonly unknown[] = [
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
];

function isOfClaims(error: unknown): boolean {
  return error instanceof Error && OF_CLAIMS.includes(codeOf(error));
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
