import type { CallEnd } from '@apix/calls';
import { failureOfCall } from '@apix/calls/internal';
import type { StatusError } from '@apix/contracts';
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
