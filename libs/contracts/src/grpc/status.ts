import { Metadata, type status } from '@grpc/grpc-js';
import { Code, isCode } from '../code.js';
import { isStatusError } from '../status-error.js';
import { writeTrailers } from '../error-trailers.js';

/** What a grpc-js server sends at the end of a call. */
export interface GrpcStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/** The code that an error answers with: a StatusError's own, INTERNAL otherwise. Never OK. */
export function codeOf(error: unknown): Code {
  if (!isStatusError(error)) return Code.INTERNAL;
  // Another copy of the class may have let through what ours does not.
  return isCode(error.code) && error.code !== Code.OK ? error.code : Code.UNKNOWN;
}

/** The status of an error: a StatusError's own, INTERNAL without the error's words otherwise. */
export function statusOf(error: unknown): GrpcStatus {
  if (!isStatusError(error)) {
    return { code: toGrpc(Code.INTERNAL), details: 'internal error', metadata: null };
  }
  const metadata = new Metadata();
  writeTrailers(error, metadata);
  return { code: toGrpc(codeOf(error)), details: error.message, metadata };
}

/** grpc-js has an enum of its own, with the same numbers. */
function toGrpc(code: Code): status {
  return code as number;
}
