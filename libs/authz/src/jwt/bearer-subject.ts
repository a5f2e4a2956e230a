import {
  type CallContext,
  type Clock,
  Code,
  type Duration,
  OptionsError,
  StatusError,
  systemClock,
  type CallMetadata,
} from '@apix/contracts';
import {
  isLoopback,
  anyValue,
  arrayOf,
  checkedOptions,
  CLOCK,
  DURATION,
  type Option,
  type OptionTable,
  required,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { unauthenticated } from '../errors.js';
import { errors } from '../npm-install/jose.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { DEFAULT_ALGORITHMS, checkAlgorithms } from './key-algorithms.js';
import { type KeySource, KeysUnavailable, checkKeySource, keyGetter } from './key-source.js';
import { verifyToken } from './verify-token.js';

export interface BearerSubjectOptions {
  /** Keys that sign tokens. Required. */
  readonly jwks: KeySource;
  /** The issuer of tokens (`iss`), or several accepted ones. Required. */
  readonly issuer: string | readonly string[];
  /** For whom tokens are made (`aud`); one of several. Required. */
  readonly audience: string | readonly string[];
  /**
   * Accepted signature algorithms. Symmetric ones must be named explicitly; `none` is always refused.
   * Default: the asymmetric ones, EdDSA, Ed25519, ES*, PS* and RS*.
   */
  readonly algorithms?: readonly string[];
  /**
   * The claim that lists the roles; a dot goes into an object. A string is one role, as issuers write a
   * list of one, and is never split. Default: 'roles'.
   */
  readonly rolesClaim?: string;
  /** The claim of permissions: a list, or text split at spaces. Default: 'scope'. */
  readonly scopesClaim?: string;
  /** How far clocks may differ. Default: '5s'. */
  readonly clockTolerance?: Duration;
  /**
   * The type that tokens must have in their header (`typ`), such as `at+jwt` for access tokens of RFC 9068,
   * so that other tokens of the issuer are refused. Compared as RFC 7515 says: without regard to case, and
   * with or without `application/`. Default: any type, or none.
   */
  readonly typ?: string;
  /**
   * How long keys from a URL that should have been fetched again, after ten minutes, are used while
   * that fails; then calls end with UNAVAILABLE. A key that is withdrawn meanwhile is accepted as
   * long. Default: '4h'.
   */
  readonly keysMaxStale?: Duration;
  /** For tests of how keys are fetched. Default: the machine's. */
  readonly clock?: Clock;
}

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
  const { rolesClaim, scopesClaim, key, settings } = resolveOptions(options);
  const verify = verifier(key, settings);
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

interface ResolvedBearerOptions {
  readonly rolesClaim: string;
  readonly scopesClaim: string;
  readonly key: JWTVerifyGetKey;
  readonly settings: JWTVerifyOptions;
}

const LIST = arrayOf(TEXT);

/** A text, or an array of several. */
const TEXTS: Option<readonly string[]> = {
  schema: undefined,
  read(value, at, mistakes) {
    if (!Array.isArray(value)) {
      const text = TEXT.read(value, at, mistakes);
      return text === undefined ? undefined : [text];
    }
    if (value.length === 0) mistakes.add(at, 'must not be an empty array');
    return LIST.read(value, at, mistakes);
  },
};

const BEARER_SUBJECT_OPTIONS = {
  jwks: anyValue<KeySource>(),
  issuer: required(TEXTS, []),
  audience: required(TEXTS, []),
  algorithms: withDefault(TEXTS, DEFAULT_ALGORITHMS),
  rolesClaim: withDefault(TEXT, 'roles'),
  scopesClaim: withDefault(TEXT, 'scope'),
  clockTolerance: withDefault(DURATION, 5_000),
  typ: TEXT,
  keysMaxStale: withDefault(DURATION, 4 * 60 * 60 * 1_000),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<BearerSubjectOptions>;

function resolveOptions(options: BearerSubjectOptions): ResolvedBearerOptions {
  const { rolesClaim, scopesClaim, typ, ...read } = checkedOptions(
    BEARER_SUBJECT_OPTIONS,
    options,
    (found) => new OptionsError('authz: bearerSubject', found),
    ({ jwks, algorithms }, mistakes) =>
      checkKeySource(jwks, checkAlgorithms(algorithms, mistakes), mistakes),
  );
  const settings: JWTVerifyOptions = {
    issuer: [...read.issuer],
    audience: [...read.audience],
    algorithms: [...read.algorithms],
    clockTolerance: read.clockTolerance / 1_000,
    requiredClaims: ['exp'],
    ...(typ !== undefined && { typ }),
  };
  warnOfPlainHttp(options.jwks);
  const key = keyGetter(options.jwks, read.keysMaxStale, read.clock);
  return { rolesClaim, scopesClaim, settings, key };
}

function verifier(
  key: JWTVerifyGetKey,
  settings: JWTVerifyOptions,
): (token: string) => Promise<JWTPayload> {
  return async (token) => {
    try {
      const payload = await verifyToken(token, key, settings);
      // JSON has numbers that JavaScript has not, such as 1e400.
      if (payload.exp === Infinity) throw new TypeError('authz: the token never expires');
      return payload;
    } catch (error) {
      throw refusal(error);
    }
  };
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

/** Whether a URL goes over a network without TLS; addresses of this machine do not. */
function isPlainHttp({ protocol, hostname }: URL): boolean {
  // Names below localhost are this machine's too (RFC 6761, section 6.3).
  const isOwn = isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost');
  return protocol === 'http:' && !isOwn;
}

/** Warns of keys that anyone on the network path could replace. */
function warnOfPlainHttp(source: unknown): void {
  if (typeof source !== 'string' && !(source instanceof URL)) return;
  const url = new URL(source);
  if (!isPlainHttp(url)) return;
  process.emitWarning(
    `authz: the keys that sign tokens come from ${url.origin} without TLS, so that anyone on the ` +
      'network can replace them; use https',
    { code: 'APIX_KEYS_WITHOUT_TLS' },
  );
}
