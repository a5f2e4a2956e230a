import { readFileSync } from 'node:fs';
import type { SubjectFunc } from '@apix/authz/core';
import { type KeySource, bearerSubject } from '@apix/authz/jwt';
import { thrownText } from '@apix/contracts';
import { createLocalJWKSet } from 'jose';
import { GatewayServerError } from '../errors.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/**
 * Identifies the caller by the bearer token; undefined if no keys are given, in which case no policy is enforced.
 *
 * @throws GatewayServerError for keys that cannot be read, OptionsError for options that tokens cannot be checked with.
 */
export function tokenSubject(settings: GatewaySettings): SubjectFunc | undefined {
  const { jwks, issuer, audience } = settings;
  if (jwks === undefined) return undefined;
  const { 'roles-claim': rolesClaim, 'scopes-claim': scopesClaim } = settings;
  return bearerSubject({
    jwks: keysOf(jwks),
    issuer,
    audience,
    ...(rolesClaim !== undefined && { rolesClaim }),
    ...(scopesClaim !== undefined && { scopesClaim }),
  });
}

function keysOf(jwks: string): KeySource {
  if (/^https?:/i.test(jwks)) return jwks;
  try {
    return createLocalJWKSet(
      JSON.parse(readFileSync(jwks, 'utf8')) as Parameters<typeof createLocalJWKSet>[0],
    );
  } catch (cause) {
    throw new GatewayServerError([`jwks: cannot read keys from ${jwks}: ${thrownText(cause)}`], {
      cause,
    });
  }
}
