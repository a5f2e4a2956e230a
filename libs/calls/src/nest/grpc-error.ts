import type { Metadata } from '@grpc/grpc-js';
import { writeTrailers } from '../status/error-trailers.js';
import { sendableMetadata } from '../status/sendable-metadata.js';
import type { StatusError } from '@apix/contracts';
import { statusText } from '../status/status-text.js';

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
 */
export function grpcError(error: StatusError, sibling: Metadata): GrpcError {
  const { code } = error;
  const details = statusText(error.message);
  const trailers = new (sibling.constructor as new () => Metadata)();
  writeTrailers(error, trailers);
  const metadata = sendableMetadata(trailers) ?? trailers;
  return Object.assign(new Error(details, { cause: error }), { code, details, metadata });
}
