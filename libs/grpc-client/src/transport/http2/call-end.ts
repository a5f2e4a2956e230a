import { Metadata, type StatusObject, status as GrpcStatus } from '@grpc/grpc-js';
import type { IncomingHttpHeaders } from 'node:http2';
import type { CallEnd } from '@apix/calls';
import { HTTP2_ERROR } from '@apix/http2';

/**
 * A status from this end of a call, in the words of grpc-js, by which it is distinguished from a server's.
 */
export type StatusOfClient = Pick<StatusObject, 'code' | 'details'>;

/** An end that was not sent by a server. */
export function ownEnd({ code, details }: StatusOfClient, metadata = new Metadata()): CallEnd {
  return { status: { code, details, metadata }, fromServer: false };
}

/** A call whose connection is gone. */
export const LOST: StatusOfClient = { code: GrpcStatus.UNAVAILABLE, details: 'Connection dropped' };

/** The status in trailers, or in headers that end the stream. */
export function endOfTrailers(headers: IncomingHttpHeaders, httpStatus: number): CallEnd {
  const metadata = receivedMetadata(headers);
  const [code] = metadata.get('grpc-status');
  if (code === undefined) return ownEnd(ofHttp(httpStatus), metadata);
  const [message] = metadata.get('grpc-message');
  metadata.remove('grpc-status');
  metadata.remove('grpc-message');
  const details = message === undefined ? '' : decoded(String(message));
  return { status: { code: Number(code), details, metadata }, fromServer: true };
}

/** The received metadata; invalid entries are left out. */
export function receivedMetadata(headers: IncomingHttpHeaders): Metadata {
  return Metadata.fromHttp2Headers(headers);
}

/** http-grpc-status-mapping.md */
export function ofHttp(httpStatus: number): StatusOfClient {
  return { code: codeOfHttp(httpStatus), details: `Received HTTP status code ${httpStatus}` };
}

function codeOfHttp(httpStatus: number): GrpcStatus {
  switch (httpStatus) {
    case 400:
      return GrpcStatus.INTERNAL;
    case 401:
      return GrpcStatus.UNAUTHENTICATED;
    case 403:
      return GrpcStatus.PERMISSION_DENIED;
    case 404:
      return GrpcStatus.UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
      return GrpcStatus.UNAVAILABLE;
    default:
      return GrpcStatus.UNKNOWN;
  }
}

/** The status of a reset stream, by its code (PROTOCOL-HTTP2.md, Errors). */
export function ofReset(code: number, httpStatus: number | undefined): StatusOfClient {
  const details = `Received RST_STREAM with code ${code}`;
  switch (code) {
    case HTTP2_ERROR.none:
      return httpStatus === undefined || httpStatus === 200
        ? { code: GrpcStatus.INTERNAL, details: `${details} (Call ended without gRPC status)` }
        : ofHttp(httpStatus);
    case HTTP2_ERROR.refusedStream:
      return { code: GrpcStatus.UNAVAILABLE, details: 'Stream refused by server' };
    case HTTP2_ERROR.cancel:
      return { code: GrpcStatus.CANCELLED, details: 'Call cancelled' };
    case HTTP2_ERROR.enhanceYourCalm:
      return {
        code: GrpcStatus.RESOURCE_EXHAUSTED,
        details: 'Bandwidth exhausted or memory limit exceeded',
      };
    case HTTP2_ERROR.inadequateSecurity:
      return { code: GrpcStatus.PERMISSION_DENIED, details: 'Protocol not secure enough' };
    case HTTP2_ERROR.internal:
      return { code: GrpcStatus.INTERNAL, details: `${details} (Internal server error)` };
    default:
      return { code: GrpcStatus.INTERNAL, details };
  }
}

function decoded(message: string): string {
  if (!message.includes('%')) return message;
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
