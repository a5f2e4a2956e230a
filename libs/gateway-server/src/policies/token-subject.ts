import type { SubjectFunc } from '@apix/authz/core';
import { KeyFile, bearerSubject } from '@apix/authz/jwt';
import { OptionsError } from '@apix/contracts';
import { GatewayServerError } from '../errors.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/** How callers are identified. */
export interface TokenSubject {
  readonly identify: SubjectFunc;
  /** Undefined if the keys come from a URL: they are fetched again without a reload. */
  readonly keyFile: KeyFile | undefined;
}

/**
 * Identifies the caller by the bearer token; undefined if no keys are given, in which case no policy is enforced.
 *
 * @throws GatewayServerError for keys that cannot be read, OptionsError for options that tokens cannot be checked with.
 */
export function tokenSubject(settings: GatewaySettings): TokenSubject | undefined {
  const { jwks, issuer, audience } = settings;
  if (jwks === undefined) return undefined;
  const { 'roles-claim': rolesClaim, 'scopes-claim': scopesClaim } = settings;
  const keyFile = /^https?:/i.test(jwks) ? undefined : openKeyFile(jwks);
  const identify = bearerSubject({
    jwks: keyFile ?? jwks,
    issuer,
    audience,
    ...(rolesClaim !== undefined && { rolesClaim }),
    ...(scopesClaim !== undefined && { scopesClaim }),
  });
  return { identify, keyFile };
}

function openKeyFile(file: string): KeyFile {
  try {
    return new KeyFile(file);
  } catch (cause) {
    if (!(cause instanceof OptionsError)) throw cause;
    const mistakes = cause.mistakes.map((mistake) => `jwks: ${mistake}`);
    throw new GatewayServerError(mistakes, { cause });
  }
}
