import type { Metadata } from '@grpc/grpc-js';
import { writeTrailers } from '../status/error-trailers.js';
import { sendableMetadata } from '../status/sendable-metadata.js';
import { httpStatusOf, type StatusError } from '@apix/contracts';
import { statusText } from '../status/status-text.js';

/** The trailer with the HTTP status of an error, where it is not the one of its code. */
// Why: docs/decisions/0036
const HTTP_STATUS_KEY = 'x-http-code';

/** The error with which a grpc-js handler ends a call. */
export interface GrpcError extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

/**
 * A StatusError as grpc-js wants it.
 *
 * @param sibling any metadata of the call; its class makes the trailers, so that nothing here
 * imports grpc-js, which an HTTP-only app does not have.
 * @param httpStatus for callers over HTTP. Default: the one of the code.
 */
export function grpcError(
  error: StatusError,
  sibling: Metadata,
  httpStatus = httpStatusOf(error.code),
): GrpcError {
  const { code } = error;
  const details = statusText(error.message);
  const trailers = new (sibling.constructor as new () => Metadata)();
  if (httpStatus >= 400 && httpStatus !== httpStatusOf(code)) {
    trailers.set(HTTP_STATUS_KEY, String(httpStatus));
  }
  writeTrailers(error, trailers);
  const metadata = sendableMetadata(trailers) ?? trailers;
  return Object.assign(new Error(details, { cause: error }), { code, details, metadata });
}
