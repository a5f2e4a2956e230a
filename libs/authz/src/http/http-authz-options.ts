import { OptionsError } from '@apix/contracts';
import {
  checkedOptions,
  HEADER_VALUE,
  type OptionTable,
  withDefault,
} from '@apix/contracts/options';

/** How refused requests are answered. */
export interface HttpAuthzOptions {
  /** `WWW-Authenticate` of a 401, unless the app has set it. Default: 'Bearer'. */
  readonly challenge?: string;
}

const HTTP_AUTHZ_OPTIONS = {
  challenge: withDefault(HEADER_VALUE, 'Bearer'),
} satisfies OptionTable<HttpAuthzOptions>;

/** @throws OptionsError for a challenge that cannot be the value of a header. */
export function resolveHttpAuthzOptions(options: HttpAuthzOptions): Required<HttpAuthzOptions> {
  return checkedOptions(
    HTTP_AUTHZ_OPTIONS,
    options,
    (found) => new OptionsError('authz: http', found),
  );
}
