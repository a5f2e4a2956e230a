import { decodeStatusDetails, generalText, type CallEnd } from '@apix/calls';
import { Code, type StatusDetail, StatusError, isCode } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { HttpRefusal } from '../errors.js';
import { failureStatus } from '../metadata/response-headers.js';
import { ownFailure } from './own-failure.js';

/** Codes for internal failures, whose message may contain internal details. */
const BROKEN = new Set<Code>([Code.UNKNOWN, Code.INTERNAL, Code.DATA_LOSS]);

/**
 * The caller's view of a failed call.
 *
 * @param exposeServerErrors keeps the server's messages of UNKNOWN, INTERNAL and DATA_LOSS.
 */
export function failureOf(
  { status, fromServer }: CallEnd,
  exposeServerErrors: boolean,
): StatusError | HttpRefusal {
  const code: Code = isCode(status.code) ? status.code : Code.UNKNOWN;
  const cause = new Error(status.details);
  if (!fromServer) {
    const own = ownFailure(code, status.details);
    return new StatusError(own.code, own.message, { cause });
  }
  // Why: docs/decisions/0031
  const hidden = BROKEN.has(code) && !exposeServerErrors;
  const error = hidden
    ? new StatusError(code, generalText(code), { cause })
    : new StatusError(code, status.details, { details: detailsOf(status.metadata), cause });
  return new HttpRefusal(error, { httpStatus: failureStatus(code, status.metadata) });
}

function detailsOf(trailers: Metadata): StatusDetail[] {
  return trailers
    .get('grpc-status-details-bin')
    .flatMap((value) => (typeof value === 'string' ? [] : decodeStatusDetails(value)));
}
