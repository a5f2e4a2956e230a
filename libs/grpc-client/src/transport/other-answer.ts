import { shownValue } from '@apix/contracts';
import { type StatusObject, status as GrpcStatus } from '@grpc/grpc-js';

/** The status for an answer with 200 that is not gRPC: UNKNOWN (http-grpc-status-mapping.md). */
export function otherAnswer(type: string): Pick<StatusObject, 'code' | 'details'> {
  return {
    code: GrpcStatus.UNKNOWN,
    details: `the answer is not one of gRPC, for its content-type is ${shownValue(type)}`,
  };
}
