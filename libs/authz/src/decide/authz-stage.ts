import {
  type BoundCallStage,
  CALL_STAGE,
  type CallStage,
  type StagedCall,
  stagedCallOf,
} from '@apix/contracts';
import type { ListFilter } from '../cel/filter/list-filter.js';
import type { Admission, BegunCall } from './admission.js';
import { clone } from '@bufbuild/protobuf';
import type { Authorizer } from './authorizer.js';
import { isMessageOf } from './decide-record.js';

/** Under which the stage leaves who was admitted, for handlers and the guard. */
const ADMISSION = Symbol.for('apix.authz.Admission');

/** Under which it keeps what is left to decide; no other stage can set it. */
const BEGUN = Symbol('apix.authz.Begun');

/**
 * The call stage that enforces the policies on gRPC calls: roles and permissions before a single message is decoded,
 * conditions on each message before any other stage and the handler get it, and that a list is filtered before it
 * answers. An app with AuthzModule has it
 * already.
 */
export function authzStage(authorizer: Authorizer): CallStage {
  return {
    [CALL_STAGE]: true,
    name: 'authz',
    bind: (method) => {
      const standing = authorizer.standing(method.fullName);
      const stage: BoundCallStage = {
        onCall(call) {
          const begun = authorizer.beginBy(standing, call);
          return begun instanceof Promise
            ? begun.then((later) => remember(call, later))
            : remember(call, begun);
        },
      };
      const { conditions, lists } = standing;
      const { fields } = authorizer;
      const { hides = false, places } = fields.ofMethod(method.fullName) ?? {};
      return {
        ...stage,
        // While a record loads, code that keeps the message could change what was decided about.
        ...(conditions?.resource !== undefined && {
          toReceive: (_, message) =>
            isMessageOf(conditions.input, message) ? clone(conditions.input, message) : message,
        }),
        ...((conditions ?? lists ?? places) !== undefined && {
          onMessage: (call, message) => begunOf(call).onMessage?.(message),
        }),
        ...(conditions && { onNoMessage: (call) => begunOf(call).onNoMessage?.() }),
        ...(lists && { onSend: (call) => begunOf(call).onSend?.() }),
        ...(hides && {
          toSend: (call, message) => {
            const { onAnswer } = begunOf(call);
            return onAnswer === undefined ? message : onAnswer(message);
          },
        }),
        ...(fields.all.length > 0 && {
          detailsToSend: (call, details) =>
            // A call that was denied has not begun; its caller is not known.
            (call.values.get(BEGUN) as BegunCall | undefined)?.onDetails?.(details) ??
            authorizer.detailsForAnyone(details, method.fullName),
        }),
      };
    },
  };
}

function remember(call: StagedCall, begun: BegunCall): void {
  call.values.set(ADMISSION, begun);
  call.values.set(BEGUN, begun);
}

/** Throws, which denies the call, if the stage has not seen it begin. */
function begunOf(call: StagedCall): BegunCall {
  const begun = call.values.get(BEGUN) as BegunCall | undefined;
  if (begun === undefined) throw new Error('authz: a message came before its call');
  return begun;
}

/**
 * Which records the call of a list may show, for handlers on servers of your own: the metadata are those of the call,
 * as grpc-js gives them. In a Nest app use `@CurrentFilter()`.
 *
 * @throws Error if the method lists no records, or no {@link authzStage} has admitted the call.
 */
export function currentFilter(metadata: object): ListFilter {
  const filter = admissionOf(stagedCallOf(metadata))?.filter;
  if (filter === undefined) {
    throw new Error(
      'authz: there is no filter here; the option (apix.authz.lists) of the method says which records it lists',
    );
  }
  return filter;
}

/** The subject that the stage admitted; undefined if no stage ran. */
export function admissionOf(call: StagedCall | undefined): Admission | undefined {
  return call?.values.get(ADMISSION) as Admission | undefined;
}
