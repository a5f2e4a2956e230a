import type { GrpcArguments } from '@apix/calls/nest';
import type { StagedCall } from '@apix/contracts';
import type { Admission } from '../decide/authorizer.js';
import { admissionOf } from '../decide/authz-stage.js';

/** Where the stage chain leaves the call on the metadata that a handler gets. */
const STAGED_CALL = Symbol.for('apix.StagedCall');

type Carrier = { readonly [STAGED_CALL]?: StagedCall };

/**
 * Who the call stage admitted; undefined where no stage ran. Read by symbol, so that an app
 * without grpc-js need not load it.
 */
export function stagedAdmission({ call }: GrpcArguments): Admission | undefined {
  return admissionOf((call.metadata as Carrier)[STAGED_CALL]);
}
