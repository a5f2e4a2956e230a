import type { ExecutionContext } from '@nestjs/common';
import { grpcArguments } from '@apix/calls/nest';
import type { Admission } from '../decide/authorizer.js';

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

/** Who the guard admitted to this context's handler; undefined where no guard ran. */
export function admissionIn(context: ExecutionContext): Admission | undefined {
  const left = carrierOf(context)?.[ADMITTED];
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
