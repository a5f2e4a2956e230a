import { Code, StatusError } from '@apix/contracts';
import type { Denial } from './decision.js';

/** The denial of a request whose mask names a field that the caller does not see. */
export function hiddenFieldDenial(field: string, method: string, exposeReasons: boolean): Denial {
  const why = exposeReasons ? `: ${field} is not visible` : '';
  const cause = new Error(
    `authz: a mask in the request of ${method} names ${field}, which is hidden`,
  );
  return {
    reason: 'hidden_field',
    field,
    error: new StatusError(Code.PERMISSION_DENIED, `permission denied${why}`, { cause }),
  };
}

/** The denial of a call at an entry point that does not pass its answers on to be masked. */
export function unmaskedDenial(method: string): Denial {
  const cause = new Error(
    `authz: answers of ${method} have hidden fields, which this entry point cannot hide; use authzInterceptor of @apix/authz/grpc`,
  );
  return {
    reason: 'hidden_field',
    error: new StatusError(Code.PERMISSION_DENIED, 'permission denied', { cause }),
  };
}
