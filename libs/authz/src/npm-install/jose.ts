/** Why: docs/decisions/0240 */
export { createLocalJWKSet, errors, jwtVerify } from 'jose';
