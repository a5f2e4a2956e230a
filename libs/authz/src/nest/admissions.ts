import type { ExecutionContext } from '@nestjs/common';
import { grpcArguments } from '@apix/contracts/nest';
import type { Admission } from '../decide/authorizer.js';

/** Under which the guard leaves who was admitted: on the request, metadata or message context. */
const ADMITTED = Symbol.for('apix.authz.Admitted');

type Carrier = object & { [ADMITTED]?: Admission };

/** Leaves who was admitted where {@link admissionIn} finds it. */
export function leaveAdmission(context: ExecutionContext, admission: Admission): void {
  const carrier = carrierOf(context);
  if (carrier !== undefined) carrier[ADMITTED] = admission;
}

/** Who the guard admitted in this context; undefined where no guard ran. */
export function admissionIn(context: ExecutionContext): Admission | undefined {
  return carrierOf(context)?.[ADMITTED];
}

function carrierOf(context: ExecutionContext): Carrier | undefined {
  if (context.getType() === 'http') return context.switchToHttp().getRequest<Carrier>();
  const grpc = grpcArguments(context.getArgs());
  if (grpc !== undefined) return grpc.call.metadata;
  const message: unknown = context.getArgByIndex(1);
  return typeof message === 'object' && message !== null ? message : undefined;
}
