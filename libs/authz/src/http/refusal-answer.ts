import { OptionsError, type StatusError } from '@apix/contracts';
import {
  checkedOptions,
  HEADER_VALUE,
  type OptionTable,
  withDefault,
} from '@apix/contracts/internal';
import { problemOf } from '@apix/calls';
import { problemTypeFor } from '@apix/calls/internal';
import { internalError } from '../errors.js';

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

/** The answer to a refused caller: a problem document (RFC 9457). */
interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * @param accept the header of the request.
 * @param challenge `WWW-Authenticate` of a 401, which must have one (RFC 9110 §15.5.2); undefined
 *   if the response already has it.
 */
export function refusalAnswer(
  error: StatusError,
  accept: string | undefined,
  challenge: string | undefined,
): RefusalAnswer {
  const { status, body } = problemText(error);
  return {
    status,
    headers: {
      'content-type': problemTypeFor(accept),
      ...(status === 401 && challenge !== undefined && { 'www-authenticate': challenge }),
    },
    body,
  };
}

/** A StatusError of the app's subject function may have parts that cannot be read. */
function problemText(error: StatusError): Pick<RefusalAnswer, 'status' | 'body'> {
  try {
    const problem = problemOf(error);
    return { status: problem.status, body: JSON.stringify(problem) };
  } catch (cause) {
    const problem = problemOf(internalError(cause));
    return { status: problem.status, body: JSON.stringify(problem) };
  }
}
