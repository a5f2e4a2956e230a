import { CALL_STAGE, type CallStage, type StagedCall } from '@apix/contracts';
import type { Admission, Authorizer } from './authorizer.js';

/** Under which the stage leaves who was admitted, for handlers and the guard. */
const ADMISSION = Symbol.for('apix.authz.Admission');

/**
 * The call stage that enforces the policies on gRPC calls, before a single message is decoded. An
 * app with AuthzModule has it already.
 */
export function authzStage(authorizer: Authorizer): CallStage {
  return {
    [CALL_STAGE]: true,
    name: 'authz',
    bind: (method) => {
      const standing = authorizer.standing(method.fullName);
      return {
        onCall(call) {
          const admission = authorizer.admitBy(standing, call);
          return admission instanceof Promise
            ? remember(call, admission)
            : void call.values.set(ADMISSION, admission);
        },
      };
    },
  };
}

async function remember(call: StagedCall, admission: Promise<Admission>): Promise<void> {
  call.values.set(ADMISSION, await admission);
}

/** The subject that the stage admitted; undefined if no stage ran. */
export function admissionOf(call: StagedCall | undefined): Admission | undefined {
  return call?.values.get(ADMISSION) as Admission | undefined;
}
