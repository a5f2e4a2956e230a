import http2 from 'node:http2';
import { ResetError } from './connection.js';

/** The names of the codes in Connect's JSON, by number. */
export const CODE_NAMES = [
  '',
  'canceled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const;

export const CodeNumber = {
  canceled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** What a client of all three protocols takes from the status of an answer that says nothing else. */
export function codeOfHttp(status: number): number {
  switch (status) {
    case 400:
      return CodeNumber.internal;
    case 401:
      return CodeNumber.unauthenticated;
    case 403:
      return CodeNumber.permissionDenied;
    case 404:
      return CodeNumber.unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return CodeNumber.unavailable;
    default:
      return CodeNumber.unknown;
  }
}

/** By "HTTP2 Transport Mapping" of gRPC, which Connect shares. */
export function codeOfFailure(error: unknown): number {
  if (!(error instanceof ResetError)) return CodeNumber.unavailable;
  switch (error.code) {
    case http2.constants.NGHTTP2_CANCEL:
      return CodeNumber.canceled;
    case http2.constants.NGHTTP2_REFUSED_STREAM:
      return CodeNumber.unavailable;
    case http2.constants.NGHTTP2_ENHANCE_YOUR_CALM:
      return CodeNumber.resourceExhausted;
    case http2.constants.NGHTTP2_INADEQUATE_SECURITY:
      return CodeNumber.permissionDenied;
    default:
      return CodeNumber.internal;
  }
}
