import { decodeBadRequest, type FieldViolation } from './bad-request.js';
import { reasonPhrase } from './reason-phrase.js';
import {
  codeName,
  httpStatusOf,
  redactMessage,
  type StatusDetail,
  type StatusError,
} from '@apix/contracts';
import { refusesType } from '@apix/contracts/internal';

/** The media type of a problem document (RFC 9457 §3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
const JSON_MEDIA_TYPE = 'application/json';

/**
 * The media type of a problem document for a caller: `application/json` if `Accept` refuses its own type by a
 * weight of 0, and not JSON as well. An error is sent in any case (RFC 9110 §12.5.1).
 */
export function problemTypeFor(accept: string | undefined): string {
  const isPlain = refusesType(accept, PROBLEM_MEDIA_TYPE) && !refusesType(accept, JSON_MEDIA_TYPE);
  return isPlain ? JSON_MEDIA_TYPE : PROBLEM_MEDIA_TYPE;
}

/** A problem document (RFC 9457), the HTTP form of a {@link StatusError}. */
export interface Problem {
  /** `about:blank`: the problem has no meaning beyond its status (RFC 9457 §4.2.1). */
  readonly type: string;
  /** The status' own phrase, which is what RFC 9457 asks of `about:blank`. */
  readonly title: string;
  readonly status: number;
  /** The error's message, meant for the caller. */
  readonly detail: string;
  /** The canonical code's name, such as `NOT_FOUND`. */
  readonly code: string;
  /** One entry per violation of a google.rpc.BadRequest detail; absent when there is none. */
  readonly errors?: readonly ProblemError[];
  /** The other details of the error; absent when there are none. */
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}

/** One thing that is wrong with the request. */
export interface ProblemError {
  /** Path of the field in the request message, such as `order.lines[2].amount`. */
  readonly field: string;
  readonly detail: string;
  /** Machine-readable, such as `string.min_len`; absent when the sender gave none. */
  readonly reason?: string;
}

export interface ProblemOptions {
  /** HTTP status. Default: the one of the error's code. */
  readonly status?: number;
  /**
   * Turns a detail into JSON; undefined: not known here. Default: `@type` and the message's
   * bytes as base64 in `value`.
   */
  readonly renderDetail?: (detail: StatusDetail) => Readonly<Record<string, unknown>> | undefined;
}

const BAD_REQUEST = 'google.rpc.BadRequest';

/**
 * The problem document of an error. Only what the error means for its caller is in it: code,
 * message and details, never the cause, the stack or the trailers.
 */
export function problemOf(error: StatusError, options: ProblemOptions = {}): Problem {
  const status = options.status ?? httpStatusOf(error.code);
  const errors: ProblemError[] = [];
  const details: Readonly<Record<string, unknown>>[] = [];
  for (const detail of error.details) {
    const violations = isBadRequest(detail) ? decodeBadRequest(detail.value) : undefined;
    if (violations !== undefined) errors.push(...violations.map(errorOf));
    else details.push(options.renderDetail?.(detail) ?? rawDetail(detail));
  }
  return {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    detail: error.message,
    code: codeName(error.code),
    ...(errors.length > 0 && { errors }),
    ...(details.length > 0 && { details }),
  };
}

function errorOf(violation: FieldViolation): ProblemError {
  return {
    field: violation.field,
    detail: violation.description,
    ...(violation.reason !== '' && { reason: violation.reason }),
  };
}

function isBadRequest(detail: StatusDetail): boolean {
  return detail.typeUrl.slice(detail.typeUrl.lastIndexOf('/') + 1) === BAD_REQUEST;
}

function rawDetail(detail: StatusDetail): Readonly<Record<string, unknown>> {
  const { typeUrl, value } = redactMessage(detail) as { typeUrl: string; value: unknown };
  const shown = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return { '@type': typeUrl, value: shown };
}
