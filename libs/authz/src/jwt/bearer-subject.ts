import { type CallContext, type CallMetadata, Code, StatusError } from '@apix/contracts';
import type { CryptoKey, JWTPayload, JWTVerifyOptions, KeyObject } from 'jose';
import { unauthenticated } from '../errors.js';
import { errors, jwtVerify } from '../npm-install/jose.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { type BearerSubjectOptions, type TokenReading, tokenReading } from './bearer-options.js';
import { KeysUnavailable, type TokenKey } from './key-source.js';
import { MAX_TRIED_KEYS } from './usable-keys.js';

/**
 * Identifies the caller by its bearer token, a signed JWT that expires (RFC 7519, RFC 8725): `sub` is its
 * id, the roles claim its roles, the scopes claim its permissions. Anonymous without an `authorization`
 * entry. A token that is malformed, expired, not yet valid, wrongly signed or meant for another service is
 * UNAUTHENTICATED; when there are no keys, because they cannot be fetched, the call ends with UNAVAILABLE,
 * because that is not the caller's fault. Keys from an `http:` URL of another machine cause a warning of
 * the process.
 *
 * @throws OptionsError at once for missing or dangerous options.
 */
export function bearerSubject(options: BearerSubjectOptions): SubjectFunc {
  const reading = tokenReading(options);
  return (call: CallContext) => {
    const token = bearerToken(call.metadata);
    return token === null ? null : subjectOf(token, reading);
  };
}

async function subjectOf(
  token: string,
  { key, settings, rolesClaim, scopesClaim }: TokenReading,
): Promise<Subject> {
  const claims = await claimsOf(token, key, settings);
  const id: unknown = claims.sub;
  // jose leaves its type to the app: handlers compare it with ids that are strings.
  if (id !== undefined && typeof id !== 'string') {
    throw unauthenticated('the token\'s claim "sub" is not a string');
  }
  return {
    ...(id !== undefined && { id }),
    roles: textList(claimAt(claims, rolesClaim), rolesClaim, (role) => [role]),
    permissions: textList(claimAt(claims, scopesClaim), scopesClaim, scopesIn),
    claims,
  };
}

async function claimsOf(
  token: string,
  key: TokenKey,
  settings: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    const claims = await verifyToken(token, key, settings);
    // JSON has numbers that JavaScript has not, such as 1e400.
    if (claims.exp === Infinity) throw new TypeError('authz: the token never expires');
    return claims;
  } catch (error) {
    throw refusal(error);
  }
}

/** A wrong token is for its sender to fix; missing keys are not. */
function refusal(error: unknown): StatusError {
  if (error instanceof KeysUnavailable) {
    const message = 'tokens cannot be checked now; try again later';
    // Why: docs/decisions/0020
    return new StatusError(Code.UNAVAILABLE, message, { cause: error });
  }
  const expired = error instanceof errors.JWTExpired;
  return unauthenticated(expired ? 'the token has expired' : 'the token is not valid', error);
}

/**
 * The claims of a token, verified with its key; if it fits several keys, because it has no key id or they share
 * one, with each of them until its signature is right.
 *
 * @throws jose's error for a token that is not valid, and whatever `key` throws.
 */
async function verifyToken(
  token: string,
  key: TokenKey,
  settings: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    // The types of jose have a signature for each of the two.
    return (await jwtVerify(token, key as CryptoKey, settings)).payload;
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

function claimAt(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    const here = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = here ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return value;
}

/** RFC 6749, section 3.3. */
function scopesIn(text: string): readonly string[] {
  return text.split(' ').filter((part) => part !== '');
}

/** A token with a claim that is neither a string nor a list of strings was not made for this app. */
function textList(
  value: unknown,
  claim: string,
  read: (text: string) => readonly string[],
): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return read(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw unauthenticated(`the token's claim "${claim}" is not a string or a list of strings`);
}

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The token in the `authorization` entry (RFC 6750, section 2.1); null when there is no entry.
 *
 * @throws StatusError UNAUTHENTICATED for several entries, another scheme or a malformed token.
 */
export function bearerToken(metadata: CallMetadata): string | null {
  const values = metadata.get('authorization');
  const [value] = values;
  if (value === undefined) return null;
  if (values.length > 1) throw unauthenticated('authorization was sent more than once');
  const token = BEARER.exec(value)?.[1];
  if (token === undefined) {
    throw unauthenticated('authorization must be "Bearer" and a token');
  }
  return token;
}
