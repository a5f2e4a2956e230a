import { type CallContext, Code, type Duration, StatusError, parseDuration } from '@apix/contracts';
import { type JWTPayload, type JWTVerifyOptions, errors, jwtVerify } from 'jose';
import { PolicyError, unauthenticated } from '../errors.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { bearerToken } from './bearer-token.js';
import { type KeySource, KeysUnavailable, keyGetter, keySourceMistakes } from './key-source.js';

export interface BearerSubjectOptions {
  /** Keys that sign tokens. Required. */
  readonly jwks: KeySource;
  /** Who issues tokens (`iss`); one of several. Required. */
  readonly issuer: string | readonly string[];
  /** For whom tokens are made (`aud`); one of several. Required. */
  readonly audience: string | readonly string[];
  /**
   * Accepted signature algorithms. Symmetric ones must be asked for by name; `none` is refused
   * always. Default: the asymmetric ones, EdDSA, Ed25519, ES*, PS* and RS*.
   */
  readonly algorithms?: readonly string[];
  /** The claim that lists the roles; a dot goes into an object. Default: 'roles'. */
  readonly rolesClaim?: string;
  /** The claim of permissions: a list, or text split at spaces. Default: 'scope'. */
  readonly scopesClaim?: string;
  /** How far clocks may differ. Default: '5s'. */
  readonly clockTolerance?: Duration;
}

const ASYMMETRIC = [
  'EdDSA',
  'Ed25519',
  ...['ES', 'PS', 'RS'].flatMap((family) => [`${family}256`, `${family}384`, `${family}512`]),
];

/**
 * The caller by its bearer token, a signed JWT that expires (RFC 7519, RFC 8725): `sub` is its
 * id, the roles claim its roles, the scopes claim its permissions. Anonymous without an
 * `authorization` entry. A token that is malformed, expired, not yet valid, wrongly signed or
 * meant for somebody else is UNAUTHENTICATED; when the keys cannot be fetched, the call ends
 * with UNAVAILABLE, because that is not the caller's fault.
 *
 * @throws PolicyError at once for missing or dangerous options.
 */
export function bearerSubject(options: BearerSubjectOptions): SubjectFunc {
  const verify = verifier(options);
  const { rolesClaim = 'roles', scopesClaim = 'scope' } = options;
  return (call: CallContext) => {
    const token = bearerToken(call.metadata);
    return token === null ? null : subjectOf(verify(token), rolesClaim, scopesClaim);
  };
}

async function subjectOf(
  verified: Promise<JWTPayload>,
  rolesClaim: string,
  scopesClaim: string,
): Promise<Subject> {
  const claims = await verified;
  return {
    ...(claims.sub !== undefined && { id: claims.sub }),
    roles: textList(claimAt(claims, rolesClaim), rolesClaim, false),
    permissions: textList(claimAt(claims, scopesClaim), scopesClaim, true),
    claims,
  };
}

function verifier(options: BearerSubjectOptions): (token: string) => Promise<JWTPayload> {
  const mistakes = mistakesOf(options);
  if (mistakes.length > 0) throw new PolicyError(mistakes);
  const settings: JWTVerifyOptions = {
    issuer: [options.issuer].flat(),
    audience: [options.audience].flat(),
    algorithms: [...(options.algorithms ?? ASYMMETRIC)],
    clockTolerance: parseDuration(options.clockTolerance ?? '5s') / 1_000,
    requiredClaims: ['exp'],
  };
  const key = keyGetter(options.jwks);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, settings);
      return payload;
    } catch (error) {
      throw refusal(error);
    }
  };
}

function mistakesOf({ jwks, issuer, audience, algorithms }: BearerSubjectOptions): string[] {
  const mistakes = keySourceMistakes(jwks);
  if ([issuer ?? ''].flat().includes('')) mistakes.push('bearerSubject: issuer is required');
  if ([audience ?? ''].flat().includes('')) mistakes.push('bearerSubject: audience is required');
  if ([issuer].flat().length === 0) mistakes.push('bearerSubject: issuer is empty');
  if ([audience].flat().length === 0) mistakes.push('bearerSubject: audience is empty');
  if (algorithms?.length === 0) mistakes.push('bearerSubject: algorithms is empty');
  if (algorithms?.some((name) => name.toLowerCase() === 'none')) {
    mistakes.push('bearerSubject: the algorithm "none" would accept tokens that anybody can make');
  }
  return mistakes;
}

/** What is wrong with a token is for its sender to mend; that the keys are missing is not. */
function refusal(error: unknown): StatusError {
  if (error instanceof KeysUnavailable) {
    const message = 'tokens cannot be checked now; try again later';
    // Why: docs/decisions/0020
    return new StatusError(Code.UNAVAILABLE, message, { cause: error });
  }
  const expired = error instanceof errors.JWTExpired;
  return unauthenticated(expired ? 'the token has expired' : 'the token is not valid', error);
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

/** A claim that is there and is no list of text is a token that was not made for this app. */
function textList(value: unknown, claim: string, split: boolean): readonly string[] {
  if (value === undefined) return [];
  if (split && typeof value === 'string') return value.split(' ').filter((part) => part !== '');
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw unauthenticated(`the token's claim "${claim}" is no list of text`);
}
