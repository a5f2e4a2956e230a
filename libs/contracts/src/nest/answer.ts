import { Code } from '../code.js';
import { codeOfHttpStatus, httpStatusOf } from '../http-status.js';
import { StatusError, isStatusError } from '../status-error.js';

/** What a caller is told about an error. */
export interface Answer {
  readonly error: StatusError;
  /** HTTP status; an HttpException's own, else the one of the code. */
  readonly status: number;
  /** False when nobody threw this on purpose. */
  readonly expected: boolean;
}

/**
 * What to answer to an error. StatusError, HttpException, RpcException and the client errors of
 * HTTP libraries (a body that is too large or no JSON) speak for themselves; anything else is
 * INTERNAL and says nothing of its cause.
 */
export function answerOf(error: unknown): Answer {
  if (isStatusError(error)) {
    return { error, status: httpStatusOf(error.code), expected: true };
  }
  if (isHttpException(error)) {
    const status = error.getStatus();
    return expected(codeOfHttpStatus(status), textOf(error.getResponse(), error), error, status);
  }
  if (isRpcException(error)) {
    const inner = error.getError();
    const code = isRecord(inner) && typeof inner['code'] === 'number' ? inner['code'] : undefined;
    const { code: valid } = new StatusError(code ?? Code.UNKNOWN, '');
    return expected(valid, textOf(inner, error), error, httpStatusOf(valid));
  }
  if (isClientError(error)) {
    const { statusCode } = error;
    return expected(codeOfHttpStatus(statusCode), error.message, error, statusCode);
  }
  const hidden = new StatusError(Code.INTERNAL, 'internal error', { cause: error });
  return { error: hidden, status: 500, expected: false };
}

function expected(code: Code, message: string, cause: unknown, status: number): Answer {
  return { error: new StatusError(code, message, { cause }), status, expected: true };
}

interface HttpExceptionLike extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** By shape, so that an app with two copies of @nestjs/common is understood. */
function isHttpException(error: unknown): error is HttpExceptionLike {
  return error instanceof Error && hasMethod(error, 'getStatus') && hasMethod(error, 'getResponse');
}

interface RpcExceptionLike extends Error {
  getError(): unknown;
}

/** By shape, because this package does not depend on @nestjs/microservices. */
function isRpcException(error: unknown): error is RpcExceptionLike {
  return error instanceof Error && hasMethod(error, 'getError');
}

interface ClientError extends Error {
  readonly statusCode: number;
}

/** Errors of body parsers and routers carry their 4xx as `statusCode`. */
function isClientError(error: unknown): error is ClientError {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}

/** The words inside Nest's `string | { message: string | string[] }`. */
function textOf(response: unknown, error: Error): string {
  if (typeof response === 'string') return response;
  const own = isRecord(response) ? (response['message'] ?? response['details']) : undefined;
  if (typeof own === 'string') return own;
  return Array.isArray(own) ? own.map(String).join('; ') : error.message;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function hasMethod(value: object, name: string): boolean {
  return typeof (value as Record<string, unknown>)[name] === 'function';
}
