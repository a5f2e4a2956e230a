import { httpExceptionOf } from '@apix/calls/nest';
import { isStatusError } from '@apix/contracts';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Admission, Authorizer } from '../decide/authorizer.js';
import { unknownDoor } from '../decide/rulebook.js';
import { admissionIn, leaveAdmission } from './admissions.js';
import { guardedCall } from './guard-call.js';
import { HandlerPolicies } from './handler-policies.js';
import type { Handler } from './policy-metadata.js';

/**
 * Enforces the policies at every door that Nest guards: HTTP handlers, message handlers, and
 * gRPC where the call stage has not done it before. Kinds of context that it does not know
 * (WebSocket, GraphQL) are denied.
 *
 * Over HTTP a denial is what a guard of the app's own would throw: an `UnauthorizedException` or a
 * `ForbiddenException`, whose `cause` is the StatusError.
 */
@Injectable()
export class AuthzGuard implements CanActivate {
  constructor(
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(HandlerPolicies) private readonly policies: HandlerPolicies,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    // By the call stage, or by this guard where an app binds it to a controller as well.
    if (admissionIn(context) !== undefined) return true;
    let admission: Admission | Promise<Admission>;
    try {
      admission = this.admit(context);
    } catch (error) {
      throw denial(context, error);
    }
    return admission instanceof Promise
      ? leaveLater(context, admission)
      : leave(context, admission);
  }

  private admit(context: ExecutionContext): Admission | Promise<Admission> {
    const guarded = guardedCall(context, (name) => this.authorizer.methodOf(name));
    switch (guarded.kind) {
      case 'grpc':
        return this.authorizer.admit(guarded.call);
      case 'handler':
        return this.authorizer.admitBy(
          this.policies.standing(context.getClass(), context.getHandler() as Handler),
          guarded.call,
        );
      case 'unknown':
        return this.authorizer.admitBy(unknownDoor(guarded.type), guarded.call);
    }
  }
}

function leave(context: ExecutionContext, admission: Admission): true {
  leaveAdmission(context, admission);
  return true;
}

async function leaveLater(context: ExecutionContext, admission: Promise<Admission>): Promise<true> {
  try {
    return leave(context, await admission);
  } catch (error) {
    throw denial(context, error);
  }
}

/** Filters of the app's own that are bound to a handler come before ours, and know no StatusError. */
function denial(context: ExecutionContext, error: unknown): unknown {
  return context.getType() === 'http' && isStatusError(error) ? httpExceptionOf(error) : error;
}
