import type { CallMetadata } from '@apix/contracts';
import { unauthenticated } from '../errors.js';

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
