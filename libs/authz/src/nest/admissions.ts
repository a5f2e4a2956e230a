import type { ExecutionContext } from '@nestjs/common';
import { grpcArguments } from '@apix/calls/nest';
import { stagedCallOf } from '@apix/contracts';
import type { Admission } from '../decide/authorizer.js';
import { admissionOf } from '../decide/authz-stage.js';
import { leaveOperationDecision, operationDecision } from './operation-admissions.js';
import { requestHead } from '../request/request-head.js';
import { leaveSocketAdmission, socketAdmission } from './socket-admissions.js';

/** Under which the guard leaves who was admitted: on the request, metadata or message context. */
const ADMITTED = Symbol.for('apix.authz.Admitted');

/**
 * One request can meet several handlers (`next()`, several `@EventPattern` of one pattern), each with its
 * own policy: an admission is valid only for the handler that it was given for.
 */
interface Left {
  readonly admission: Admission;
  readonly controller: unknown;
  readonly handler: unknown;
}

type Carrier = object & { [ADMITTED]?: Left };

/** By the list of arguments, which the guards of one call share; handlers get a copy of it. */
const guarded = new WeakMap<readonly unknown[], Admission>();

/**
 * The decision of the call stage, or of this guard if it is also bound to a controller, about this call;
 * undefined if neither has decided. A promise while it is being decided for another field of a GraphQL
 * operation.
 */
export function decisionIn(context: ExecutionContext): Admission | Promise<Admission> | undefined {
  const isOperation = context.getType<string>() === 'graphql';
  return (isOperation ? operationDecision(context) : undefined) ?? ofThisCall(context);
}

/** Leaves a decision under way for the other fields of a GraphQL operation. */
export function leavePending(context: ExecutionContext, decision: Promise<Admission>): void {
  if (context.getType<string>() !== 'graphql') return;
  // Each field that asks awaits it; if none does, a refusal must not end the process.
  decision.catch(() => {});
  leaveOperationDecision(context, decision);
}

/** Leaves a refusal for the other fields of a GraphQL operation. */
export function leaveRefusal(context: ExecutionContext, error: unknown): void {
  if (context.getType<string>() !== 'graphql') return;
  leavePending(context, Promise.reject(error));
}

/** Leaves who was admitted where {@link admissionIn} finds it. */
export function leaveAdmission(context: ExecutionContext, admission: Admission): void {
  const type = context.getType<string>();
  if (type === 'graphql') leaveOperationDecision(context, admission);
  if (type === 'ws') leaveSocketAdmission(context, admission);
  const carrier = carrierOf(context);
  if (carrier === undefined) {
    guarded.set(context.getArgs(), admission);
    return;
  }
  carrier[ADMITTED] = {
    admission,
    controller: context.getClass(),
    handler: context.getHandler(),
  };
}

/**
 * The subject admitted to this context's handler, by the call stage or by the guard; undefined if neither
 * has decided yet.
 */
export function admissionIn(context: ExecutionContext): Admission | undefined {
  switch (context.getType<string>()) {
    case 'graphql': {
      const decided = operationDecision(context);
      return decided instanceof Promise ? undefined : decided;
    }
    case 'ws':
      return socketAdmission(context);
    default:
      return ofThisCall(context);
  }
}

function ofThisCall(context: ExecutionContext): Admission | undefined {
  const carrier = carrierOf(context);
  if (carrier === undefined) return guarded.get(context.getArgs());
  const staged = context.getType() === 'rpc' ? admissionOf(stagedCallOf(carrier)) : undefined;
  if (staged !== undefined) return staged;
  const left = carrier[ADMITTED];
  const same = left?.controller === context.getClass() && left.handler === context.getHandler();
  return same ? left.admission : undefined;
}

/** Undefined if a call has no own object, or one that cannot be written to. */
function carrierOf(context: ExecutionContext): Carrier | undefined {
  const type = context.getType();
  if (type === 'http') {
    const request: unknown = context.getArgByIndex(0);
    return requestHead(request) === undefined ? undefined : carrier(request);
  }
  if (type !== 'rpc') return undefined;
  const grpc = grpcArguments(context.getArgs());
  return grpc === undefined ? carrier(context.getArgByIndex(1)) : grpc.call.metadata;
}

function carrier(value: unknown): Carrier | undefined {
  const isFit = typeof value === 'object' && value !== null && Object.isExtensible(value);
  return isFit ? value : undefined;
}
