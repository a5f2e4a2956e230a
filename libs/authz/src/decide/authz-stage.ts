import {
  type BoundCallStage,
  CALL_STAGE,
  type CallMethod,
  type CallStage,
  type StagedCall,
} from '@apix/contracts';
import type { Admission, Authorizer } from './authorizer.js';

/** Where the stage leaves who was admitted, for handlers and the guard. */
export const ADMISSION = Symbol.for('apix.authz.Admission');

/** Admits gRPC calls before a single message is decoded. */
export class AuthzStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'authz';
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  bind(method: CallMethod): BoundCallStage {
    const authorizer = this.#authorizer;
    const standing = authorizer.standing(method.fullName);
    return {
      onCall(call) {
        const admission = authorizer.admitBy(standing, call);
        return admission instanceof Promise
          ? remember(call, admission)
          : void call.values.set(ADMISSION, admission);
      },
    };
  }
}

async function remember(call: StagedCall, admission: Promise<Admission>): Promise<void> {
  call.values.set(ADMISSION, await admission);
}

/** Who the stage admitted; undefined where no stage ran. */
export function admissionOf(call: StagedCall | undefined): Admission | undefined {
  return call?.values.get(ADMISSION) as Admission | undefined;
}
