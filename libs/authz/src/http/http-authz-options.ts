import { Mistakes, OptionsError } from '@apix/contracts';
import { validateHeaderValue } from 'node:http';

/** How refused requests are answered. */
export interface HttpAuthzOptions {
  /** `WWW-Authenticate` of a 401, unless the app has set it. Default: 'Bearer'. */
  readonly challenge?: string;
}

/** @throws OptionsError for a challenge that cannot be the value of a header. */
export function resolveHttpAuthzOptions({
  challenge = 'Bearer',
}: HttpAuthzOptions): Required<HttpAuthzOptions> {
  const mistakes = new Mistakes();
  const text = mistakes.text('challenge', challenge);
  mistakes.attempt('challenge', () => validateHeaderValue('www-authenticate', text), undefined);
  mistakes.throwIfAny((found) => new OptionsError('authz: http', found));
  return { challenge };
}
