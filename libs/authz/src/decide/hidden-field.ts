import { Code, StatusError } from '@apix/contracts';
import type { FieldCaller, MethodFields, VisibleFields } from '../fields/visible-fields.js';
import type { BegunCall } from './admission.js';
import type { Denial } from './decision.js';

/** How requests of a call are checked whose masks may name hidden fields. */
interface MaskRules {
  readonly caller: FieldCaller;
  readonly exposeReasons: boolean;
  /** Counts and reports a denial, and returns the error for the caller, or null. */
  readonly deny: (denial: Denial) => Error | null;
}

/** Decides about the masks in the requests of a call that was begun; its conditions decide first. */
export function checkingMasks(
  fields: VisibleFields,
  own: MethodFields,
  begun: BegunCall,
  { caller, exposeReasons, deny }: MaskRules,
): NonNullable<BegunCall['onMessage']> {
  const check = (request: unknown): void => {
    const field = fields.maskedField(own, request, caller, begun.resource);
    if (field === undefined) return;
    const error = deny(hiddenFieldDenial(field, caller.method, exposeReasons));
    if (error !== null) throw error;
  };
  return (request) => {
    const decided = begun.onMessage?.(request);
    return decided === undefined ? check(request) : decided.then(() => check(request));
  };
}

/** The denial of a request whose mask names a field that the caller does not see. */
function hiddenFieldDenial(field: string, method: string, exposeReasons: boolean): Denial {
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
