import type { Admission } from '../decide/admission.js';
import type { Subject } from '../subject/subject.js';

/** The key of the admission on the request; a registered symbol, so that two installed copies share it. */
const ADMITTED = Symbol.for('apix.authz.AdmittedRequest');

type Carrier = object & { [ADMITTED]?: Admission };

/**
 * Stores the admission on the request. An admission without a subject does not replace that of an earlier
 * policy.
 */
export function leaveCaller(carrier: Carrier, admission: Admission): void {
  if (admission.subject === undefined && carrier[ADMITTED] !== undefined) return;
  carrier[ADMITTED] = admission;
}

/**
 * The caller of a request that the middleware admitted. Null for an anonymous caller, and if the policy does
 * not require authentication, such as that of a public RPC.
 *
 * @param request the request of Express, Fastify or Node, or the context of Hono.
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
