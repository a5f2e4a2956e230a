import type { Admission } from '../decide/authorizer.js';
import type { Subject } from '../subject/subject.js';

/** Under which the middleware leaves who was admitted; a registered symbol, for two installed copies. */
const ADMITTED = Symbol.for('apix.authz.AdmittedRequest');

type Carrier = object & { [ADMITTED]?: Admission };

/**
 * Keeps the subject that was admitted. A policy without authentication does not forget the caller of an
 * earlier policy.
 */
export function leaveCaller(carrier: Carrier, admission: Admission): void {
  if (admission.subject === undefined && carrier[ADMITTED] !== undefined) return;
  carrier[ADMITTED] = admission;
}

/**
 * Who makes a request that the middleware let in. Null for an anonymous caller, and where callers need not
 * identify themselves, as for a public RPC.
 *
 * @param request of Express, Fastify or Node; for Hono, its context.
 * @throws if no middleware of this package has decided about the request.
 */
export function subjectOf(request: object): Subject | null {
  const admission = (request as Carrier)[ADMITTED];
  if (admission === undefined) {
    throw new Error(
      'authz: subjectOf: no middleware of @apix/authz/http has decided about this request; put one before the handler',
    );
  }
  return admission.subject ?? null;
}
