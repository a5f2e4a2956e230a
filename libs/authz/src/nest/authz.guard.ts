import type { Readable } from 'node:stream';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { grpcArguments } from '@apix/calls/internal-nest';
import { STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import { ReplaySubject, concat, defer, isObservable } from 'rxjs';
import type { Admission } from '../decide/admission.js';
import { Authorizer } from '../decide/authorizer.js';
import { unreadableCaller } from '../decide/rulebook.js';
import { decisionIn, leaveAdmission, leavePending, leaveRefusal } from './admissions.js';
import { guardedCall } from './guard-call.js';
import { HandlerPolicies } from './handler-policies.js';
import type { Handler } from './policy-metadata.js';
import { refuseCaller } from './refusal.js';
import { IS_NEST_11 } from './patches/gateway-guard.js';

const BY_STAGE: StagedPart = { stage: 'authz' };

/**
 * Enforces the policies at every door that Nest guards: HTTP handlers, message handlers, messages of
 * WebSockets, GraphQL operations, and gRPC calls that the call stage has not checked before. Where it
 * cannot determine the caller, as behind other libraries, it refuses every call that must meet a policy.
 *
 * A denial is thrown as the app's own guards would throw it: an `UnauthorizedException` or a
 * `ForbiddenException` over HTTP and GraphQL, whose `cause` is the StatusError, a `WsException` on a
 * WebSocket, and the StatusError itself to messages and gRPC.
 */
@Injectable()
export class AuthzGuard implements CanActivate {
  /** For a call that the stage has let pass there is nothing to decide. */
  get [STAGED_PART](): StagedPart {
    return BY_STAGE;
  }

  constructor(
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(HandlerPolicies) private readonly policies: HandlerPolicies,
  ) {}

  /** @returns false for a WebSocket where the app's `WsException` cannot be loaded: Nest refuses then. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const before = decisionIn(context);
    if (before !== undefined && !(before instanceof Promise)) return true;
    let admission: Admission | Promise<Admission>;
    try {
      admission = before ?? this.admit(context);
    } catch (error) {
      leaveRefusal(context, error);
      return refuseCaller(context, error);
    }
    if (!(admission instanceof Promise)) return leave(context, admission);
    leavePending(context, admission);
    holdRequests(context);
    return leaveLater(context, admission);
  }

  private admit(context: ExecutionContext): Admission | Promise<Admission> {
    const guarded = guardedCall(context, (name) => this.authorizer.methods.callMethodOf(name));
    // The call stage would have decided; what a handler answers to Nest's own server passes no stage.
    if (guarded.kind === 'grpc') return this.authorizer.admitUnmasked(guarded.call);
    const standing = this.policies.standing(context.getClass(), context.getHandler() as Handler);
    return this.authorizer.admitHandler(
      guarded.kind === 'unreadable' ? unreadableCaller(standing, guarded.why) : standing,
      guarded.call,
    );
  }
}

function leave(context: ExecutionContext, admission: Admission): true {
  leaveAdmission(context, admission);
  return true;
}

async function leaveLater(
  context: ExecutionContext,
  admission: Promise<Admission>,
): Promise<boolean> {
  try {
    return leave(context, await admission);
  } catch (error) {
    return refuseCaller(context, error);
  }
}

/** The requests of a stream as Nest makes them. */
interface NestRequests {
  readonly drainBuffer?: (this: void) => void;
}

/**
 * Keeps the requests of a stream for its handler while a decision is pending. The transport of Nest
 * 11 loses them, and that they are complete, where the caller is done before its guards are; a denial
 * then throws where nothing catches it, which ends the process.
 */
// Why: docs/decisions/0221
function holdRequests(context: ExecutionContext): void {
  if (!IS_NEST_11 || context.getType() !== 'rpc') return;
  const args = context.getArgs<unknown[]>();
  const call = grpcArguments(args)?.call as unknown as Readable | undefined;
  const [requests] = args;
  if (call === undefined || !isObservable(requests)) return;
  const { drainBuffer } = requests as NestRequests;
  if (drainBuffer === undefined) return;
  const before = new ReplaySubject<unknown>();
  const keeping = requests.subscribe(before);
  drainBuffer();
  call.pause();
  args[0] = defer(() => {
    keeping.unsubscribe();
    before.complete();
    call.resume();
    return concat(before, requests);
  });
}
