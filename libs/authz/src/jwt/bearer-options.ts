import { type Clock, type Duration, OptionsError, systemClock } from '@apix/contracts';
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
import type { JWTVerifyOptions } from 'jose';
import { DEFAULT_ALGORITHMS, checkAlgorithms } from './key-algorithms.js';
import { type KeySource, type TokenKey, checkKeySource, tokenKey } from './key-source.js';

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

/** What tokens are verified and read with. */
export interface TokenReading {
  readonly rolesClaim: string;
  readonly scopesClaim: string;
  readonly key: TokenKey;
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

/**
 * Reads and checks the options.
 *
 * @throws OptionsError that lists every mistake.
 */
export function tokenReading(options: BearerSubjectOptions): TokenReading {
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
  const key = tokenKey(options.jwks, read.keysMaxStale, read.clock);
  return { rolesClaim, scopesClaim, settings, key };
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
