import { OptionsError } from '@apix/contracts';
import {
  checkedOptions,
  type Option,
  type OptionTable,
  TEXT,
  withDefault,
} from '@apix/contracts/options';
import { validateHeaderValue } from 'node:http';

/** How refused requests are answered. */
export interface HttpAuthzOptions {
  /** `WWW-Authenticate` of a 401, unless the app has set it. Default: 'Bearer'. */
  readonly challenge?: string;
}

const CHALLENGE: Option<string> = {
  ...TEXT,
  read(value, at, mistakes) {
    const text = TEXT.read(value, at, mistakes);
    if (text === undefined) return undefined;
    return mistakes.attempt(
      at,
      () => {
        validateHeaderValue('www-authenticate', text);
        return text;
      },
      undefined,
    );
  },
};

const HTTP_AUTHZ_OPTIONS = {
  challenge: withDefault(CHALLENGE, 'Bearer'),
} satisfies OptionTable<HttpAuthzOptions>;

/** @throws OptionsError for a challenge that cannot be the value of a header. */
export function resolveHttpAuthzOptions(options: HttpAuthzOptions): Required<HttpAuthzOptions> {
  return checkedOptions(
    HTTP_AUTHZ_OPTIONS,
    options,
    (found) => new OptionsError('authz: http', found),
  );
}
