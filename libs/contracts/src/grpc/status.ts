import { Metadata, type status } from '@grpc/grpc-js';
import { Code } from '../code.js';
import { isStatusError } from '../status-error.js';
import { STATUS_DETAILS_KEY, encodeStatus } from '../encode-status.js';

/** What a grpc-js server sends at the end of a call. */
export interface GrpcStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/** The code that an error answers with: a StatusError's own, INTERNAL otherwise. */
export function codeOf(error: unknown): Code {
  return isStatusError(error) ? error.code : Code.INTERNAL;
}

/** The status of an error: a StatusError's own, INTERNAL without the error's words otherwise. */
export function statusOf(error: unknown): GrpcStatus {
  if (!isStatusError(error)) {
    return { code: toGrpc(Code.INTERNAL), details: 'internal error', metadata: null };
  }
  const { code, message, details, trailers } = error;
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  if (details.length > 0) metadata.set(STATUS_DETAILS_KEY, encodeStatus(code, message, details));
  return { code: toGrpc(code), details: message, metadata };
}

/** grpc-js has an enum of its own, with the same numbers. */
function toGrpc(code: Code): status {
  return code as number;
}
