import type { CallContext, CallMethod } from '@apix/contracts';
import { STAGED_CALL } from '@apix/contracts';
import { type GrpcArguments, grpcArguments } from '@apix/contracts/nest';
