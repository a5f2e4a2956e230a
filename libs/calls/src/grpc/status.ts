import { type CallOutcome, Code, isCode, type StatusError, isStatusError } from '@apix/contracts';
import { Metadata, type status } from '../npm-install/@grpc/grpc-js.js';
import { writeTrailers } from '../status/error-trailers.js';
import { statusText } from '../status/status-text.js';
import { sendableMetadata } from '../status/sendable-metadata.js';

/** What a grpc-js server sends at the end of a call. */
export interface GrpcStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/** The status with which a call is to end. */
interface GivenStatus {
  readonly code?: unknown;
  readonly details?: unknown;
  readonly metadata?: unknown;
}

/**
 * A caller whose deadline passes resets the stream, often before the server's own timer fires;
 * a cancel so close to the deadline was the deadline. gRPC sends the time that is left, so that
 * the server's deadline is later than the caller's by what the request took to arrive: of a request
 * that took this much longer than the reset, the deadline looks like a cancel.
 */
const DEADLINE_SLACK_MS = 25;

const INTERNAL_ERROR: GrpcStatus = Object.freeze({
  code: toGrpc(Code.INTERNAL),
  details: 'internal error',
  metadata: null,
});

/**
 * The status of an error: that of a StatusError, never OK; otherwise INTERNAL, without the message of the
 * error.
 */
export function statusOf(error: unknown): GrpcStatus {
  try {
    if (isStatusError(error)) return statusOfStatusError(error);
  } catch {
    // A getter of a foreign StatusError threw.
  }
  return INTERNAL_ERROR;
}

function statusOfStatusError(error: StatusError): GrpcStatus {
  const metadata = new Metadata();
  writeTrailers(error, metadata);
  // Another copy of the class may have let OK through, which ours does not.
  const code = error.code === Code.OK ? Code.UNKNOWN : error.code;
  return sendableStatus({ code, details: error.message, metadata });
}

/**
 * A status as it can be sent: a code that gRPC has (UNKNOWN otherwise), {@link statusText} and
 * {@link sendable} metadata. Throws nothing, whatever it is given.
 */
export function sendableStatus(given: GivenStatus): GrpcStatus {
  try {
    const { code, details, metadata } = given;
    return {
      code: toGrpc(isCode(code) ? code : Code.UNKNOWN),
      details: statusText(details),
      // Most statuses have none.
      metadata: metadata ? sendable(metadata) : null,
    };
  } catch {
    return INTERNAL_ERROR;
  }
}

/** How a call ended that its caller cancelled, or whose deadline (ms since 1970) passed. */
export function outcomeOfCancel(deadline: number): CallOutcome {
  return Date.now() + DEADLINE_SLACK_MS >= deadline
    ? { code: Code.DEADLINE_EXCEEDED, message: 'deadline exceeded', cancelled: true }
    : { code: Code.CANCELLED, message: 'the caller cancelled', cancelled: true };
}

/** grpc-js has its own enum, with the same numbers. */
function toGrpc(code: Code): status {
  return code as number;
}

type Called = Readonly<Record<'toHttp2Headers' | 'merge' | 'clone', unknown>>;

const OWN: Called = Metadata.prototype;

/**
 * {@link sendableMetadata} that this copy of grpc-js can send without running foreign code: an object that
 * is not exactly of its class is copied, because grpc-js does not catch what `toHttp2Headers` throws.
 */
export function sendable(metadata: unknown): Metadata | null {
  const found = sendableMetadata(metadata);
  try {
    return found === null || isOwn(found) ? found : copyOf(found);
  } catch {
    return null;
  }
}

/** {@link sendable} of `own` with the given metadata added; the given object is not changed. */
export function sendableWith(own: Metadata, given: unknown): Metadata | null {
  try {
    const more = given instanceof Metadata && isOwn(given) ? given : sendable(given);
    if (more !== null) own.merge(more);
  } catch {
    // A stub of metadata has nothing to add.
  }
  return sendable(own);
}

/** Of what grpc-js calls of metadata that it sends, nothing is anybody else's. */
function isOwn({ toHttp2Headers, merge, clone }: Called): boolean {
  return toHttp2Headers === OWN.toHttp2Headers && merge === OWN.merge && clone === OWN.clone;
}

function copyOf(metadata: Metadata): Metadata {
  const copy = new Metadata();
  for (const [key, values] of Object.entries(metadata.toJSON())) {
    for (const value of values) copy.add(key, value);
  }
  return copy;
}
