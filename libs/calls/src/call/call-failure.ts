import { Code, type StatusDetail, StatusError, isCode } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { decodeStatusDetails } from '../status/decode-status.js';
import { generalText } from '../status/server-status.js';
import type { CallEnd } from './call.js';

/** Codes for internal failures, whose message may contain internal details. */
const BROKEN = new Set<Code>([Code.UNKNOWN, Code.INTERNAL, Code.DATA_LOSS]);

/**
 * The failure of a call as its caller sees it, at an entry point that makes the call for somebody else.
 *
 * @param exposeServerErrors keeps the server's messages of UNKNOWN, INTERNAL and DATA_LOSS.
 */
export function failureOfCall(
  { status, fromServer }: CallEnd,
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
  return hidden
    ? new StatusError(code, generalText(code), { cause })
    : new StatusError(code, status.details, { details: detailsOf(status.metadata), cause });
}

function detailsOf(trailers: Metadata): StatusDetail[] {
  return trailers
    .get('grpc-status-details-bin')
    .flatMap((value) => (typeof value === 'string' ? [] : decodeStatusDetails(value)));
}

/** The status that a caller gets if no server made one. */
export interface OwnFailure {
  readonly code: Code;
  readonly message: string;
}

/** Of an HTTP proxy before the server, whose 401 and 403 may well be about the caller. */
const OF_A_PROXY = /^Received HTTP status code /;
/** Of grpc-js, for a message above `grpc.max_receive_message_length`, or one that unpacks to more. */
const TOO_LARGE = /^Received message (?:larger|that decompresses)/;
/** Of grpc-js, for a request above `grpc.max_send_message_length`. */
const REQUEST_TOO_LARGE = /^Attempted to send message /;

/**
 * The code and text for a status that the transport made. gRPC addresses it to the maker of the
 * call, which is the gateway; to the gateway's caller it must not say that the caller was at fault:
 * a lost connection is CANCELLED to grpc-js, a response above its limit RESOURCE_EXHAUSTED.
 */
// Why: docs/decisions/0184
export function ownFailure(code: Code, details: string): OwnFailure {
  if (code === Code.RESOURCE_EXHAUSTED) {
    if (TOO_LARGE.test(details)) return of(Code.INTERNAL, 'the response is too large');
    return of(REQUEST_TOO_LARGE.test(details) ? code : Code.UNAVAILABLE);
  }
  if (code === Code.PERMISSION_DENIED || code === Code.UNAUTHENTICATED) {
    return of(OF_A_PROXY.test(details) ? code : Code.UNAVAILABLE);
  }
  // A caller that cancels a call from this end no longer waits for its status.
  return of(code === Code.CANCELLED ? Code.UNAVAILABLE : code);
}

function of(code: Code, message = generalText(code)): OwnFailure {
  return { code, message };
}
