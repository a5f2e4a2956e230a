import type { SubjectFunc } from '@apix/authz';
import { bearerSubject } from '@apix/authz/jwt';
import { type JsonWebKey, createPublicKey } from 'node:crypto';
import { AUDIENCE, ISSUER } from './demo-issuer.js';

/**
 * Identifies callers by the tokens of the shop's issuer.
 *
 * @param key its public key as JSON (a JWK), which the shop passes on when it starts a service.
 */
export function tokenSubject(key: string | undefined): SubjectFunc {
  if (key === undefined) throw new Error('demo: ISSUER_KEY is missing; the shop sets it');
  const jwks = createPublicKey({ key: JSON.parse(key) as JsonWebKey, format: 'jwk' });
  return bearerSubject({ jwks, issuer: ISSUER, audience: AUDIENCE });
}
