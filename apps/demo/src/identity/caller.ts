import type { SubjectFunc } from '@apix/authz';
import { bearerSubject } from '@apix/authz/jwt';
import { isForTrying, setting } from '../settings.js';
import type { DemoIssuer } from './demo-issuer.js';

const nobody: SubjectFunc = () => null;

/**
 * Who calls the shop, by the tokens of the provider whose key set AUTH_JWKS names, with AUTH_ISSUER and
 * AUTH_AUDIENCE; without it by the demo's own in Development and Test; elsewhere everybody is anonymous then.
 */
export function callerSubject(issuer: DemoIssuer): SubjectFunc {
  const jwks = setting('AUTH_JWKS');
  if (jwks === undefined) return isForTrying() ? issuer.subject : nobody;
  return bearerSubject({
    jwks,
    issuer: required('AUTH_ISSUER'),
    audience: required('AUTH_AUDIENCE'),
  });
}

function required(name: string): string {
  const value = setting(name);
  if (value === undefined)
    throw new Error(`demo: ${name} is missing: AUTH_JWKS is set and needs it`);
  return value;
}
