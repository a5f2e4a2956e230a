import type { ExecutionContext } from '@nestjs/common';
import { grpcArguments } from '@apix/calls/nest';
import { stagedCallOf } from '@apix/contracts';
import type { Admission } from '../decide/authorizer.js';
import { admissionOf } from '../decide/authz-stage.js';

/** Under which the guard leaves who was admitted: on the request, metadata or message context. */
const ADMITTED = Symbol.for('apix.authz.Admitted');

/**
 * One request can meet several handlers (`next()`, several `@EventPattern` of one pattern), each
 * with a policy of its own: an admission is good for the handler that it was given for.
 */
interface Left {
  readonly admission: Admission;
  readonly controller: unknown;
  readonly handler: unknown;
}

type Carrier = object & { [ADMITTED]?: Left };

/** Leaves who was admitted where {@link admissionIn} finds it. */
export function leaveAdmission(context: ExecutionContext, admission: Admission): void {
  const carrier = carrierOf(context);
  if (carrier === undefined) return;
  carrier[ADMITTED] = {
    admission,
    controller: context.getClass(),
    handler: context.getHandler(),
  };
}

/**
 * Who was admitted to this context's handler, by the call stage or by the guard; undefined where
 * neither has decided yet.
 */
export function admissionIn(context: ExecutionContext): Admission | undefined {
  const carrier = carrierOf(context);
  const staged = context.getType() === 'rpc' ? admissionOf(stagedCallOf(carrier)) : undefined;
  if (staged !== undefined) return staged;
  const left = carrier?.[ADMITTED];
  const same = left?.controller === context.getClass() && left.handler === context.getHandler();
  return same ? left.admission : undefined;
}

function carrierOf(context: ExecutionContext): Carrier | undefined {
  if (context.getType() === 'http') return context.switchToHttp().getRequest<Carrier>();
  const grpc = grpcArguments(context.getArgs());
  if (grpc !== undefined) return grpc.call.metadata;
  const message: unknown = context.getArgByIndex(1);
  return typeof message === 'object' && message !== null ? message : undefined;
}
