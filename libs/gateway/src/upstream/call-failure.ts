import type { CallEnd } from '@apix/calls';
import { failureOfCall } from '@apix/calls/internal';
import type { StatusError } from '@apix/contracts';
import { status as GrpcStatus } from '@grpc/grpc-js';
import { HttpRefusal } from '../errors.js';
import { failureStatus } from '../metadata/response-headers.js';

/**
 * The caller's view of a failed call.
 *
 * @param exposeServerErrors keeps the server's messages of UNKNOWN, INTERNAL and DATA_LOSS.
 */
export function failureOf(end: CallEnd, exposeServerErrors: boolean): StatusError | HttpRefusal {
  const error = failureOfCall(end, exposeServerErrors);
  if (!end.fromServer) return error;
  return new HttpRefusal(error, { httpStatus: failureStatus(error.code, end.status.metadata) });
}

/**
 * The caller's view of a failed call with one answer. A server that does not keep to that is UNIMPLEMENTED, as gRPC has
 * it.
 *
 * @param tooMany whether it has sent several.
 */
export function failureOfOne(
  end: CallEnd,
  tooMany: boolean,
  exposeServerErrors: boolean,
): StatusError | HttpRefusal {
  if (end.status.code !== GrpcStatus.OK && !tooMany) return failureOf(end, exposeServerErrors);
  const details = tooMany ? 'Too many responses received' : 'No message received';
  const status = { ...end.status, code: GrpcStatus.UNIMPLEMENTED, details };
  return failureOf({ status, fromServer: false }, exposeServerErrors);
}
