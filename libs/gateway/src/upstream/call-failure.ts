import { decodeStatusDetails, generalText } from '@apix/calls';
import type { TransportEnd } from '@apix/grpc/transport';
import { Code, StatusError, isCode } from '@apix/contracts';
import { ownFailure } from './own-failure.js';

/** Codes for internal failures, whose message may contain internal details. */
const BROKEN = new Set<Code>([Code.UNKNOWN, Code.INTERNAL, Code.DATA_LOSS]);

/**
 * The caller's view of a failed call.
 *
 * @param exposeServerErrors keeps the server's messages of UNKNOWN, INTERNAL and DATA_LOSS.
 */
export function failureOf(
  { status, fromServer }: TransportEnd,
  exposeServerErrors: boolean,
): StatusError {
  const code: Code = isCode(status.code) ? status.code : Code.UNKNOWN;
  const cause = new Error(status.details);
  if (!fromServer) {
    const own = ownFailure(code, status.details);
    return new StatusError(own.code, own.message, { cause });
  }
  // Why: docs/decisions/0031
  const hidden = BROKEN.has(code) && !exposeServerErrors;
  if (hidden) return new StatusError(code, generalText(code), { cause });
  const details = status.metadata
    .get('grpc-status-details-bin')
    .flatMap((value) => (typeof value === 'string' ? [] : decodeStatusDetails(value)));
  return new StatusError(code, status.details, { details, cause });
}
