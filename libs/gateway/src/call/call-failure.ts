import { Code, StatusError, isCode } from '@apix/contracts';
import type { StatusObject } from '@grpc/grpc-js';
import { readStatusDetails } from './status-details.js';

/** Codes that say that something broke, so that the message may be about the inside. */
const BROKEN = new Set<Code>([Code.UNKNOWN, Code.INTERNAL, Code.DATA_LOSS]);

/** What is said instead of the client library's own words, which name addresses. */
const OWN_WORDS: ReadonlyMap<Code, string> = new Map([
  [Code.UNAVAILABLE, 'the service is unavailable'],
  [Code.DEADLINE_EXCEEDED, 'deadline exceeded'],
  [Code.CANCELLED, 'the call was cancelled'],
]);

/**
 * The caller's view of a failed call.
 *
 * @param answered whether the status came from the server, not from the client library.
 * @param exposeServerErrors keeps the server's messages of UNKNOWN, INTERNAL and DATA_LOSS.
 */
export function failureOf(
  status: Pick<StatusObject, 'code' | 'details' | 'metadata'>,
  answered: boolean,
  exposeServerErrors: boolean,
): StatusError {
  const code: Code = isCode(status.code) ? status.code : Code.UNKNOWN;
  const cause = new Error(status.details);
  const hidden = BROKEN.has(code) && !exposeServerErrors;
  if (hidden || !answered) {
    const broken = BROKEN.has(code) ? 'internal error' : 'the call failed';
    return new StatusError(code, OWN_WORDS.get(code) ?? broken, { cause });
  }
  const details = status.metadata
    .get('grpc-status-details-bin')
    .flatMap((value) => (typeof value === 'string' ? [] : readStatusDetails(value)));
  return new StatusError(code, status.details, { details, cause });
}
