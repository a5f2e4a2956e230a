import { type RpcExceptionLike, isRpcException } from '../status/carried-status.js';
import { exceptionText, rpcStatus } from '../status/rpc-status.js';
import { statusErrorIn } from './http-exception-of.js';
import {
  Code,
  isCode,
  codeOfHttpStatus,
  httpStatusOf,
  type Failure,
  StatusError,
  isStatusError,
} from '@apix/contracts';

/** What a caller gets to know about an error. */
export interface Answer {
  readonly error: StatusError;
  /** HTTP status; an HttpException's own, else the one of the code. */
  readonly status: number;
  /** False for an unexpected error. */
  readonly expected: boolean;
  /** The StatusError that was thrown, one that can be read; undefined: something else was. */
  readonly ours: StatusError | undefined;
}

/**
 * The answer to an error. StatusError, HttpException and RpcException are answered as they are, and so are,
 * over HTTP, the errors that body parsers and Fastify create for the caller (a body that is too large or
 * not JSON). Anything else is INTERNAL without its cause, whatever status it carries: a `statusCode` is
 * often that of an answer that this app received. Never throws.
 */
export function answerOf(error: unknown, door: Failure['door']): Answer {
  try {
    return readAnswer(error, door) ?? hidden(error);
  } catch {
    // A getter of the error threw, or it cannot be read at all.
    return hidden(error);
  }
}

/**
 * The answer to an error of an HTTP request. The error with which Node ended the request because its caller
 * left is no failure of the app; code that reads the body throws it.
 */
export function httpAnswerOf(error: unknown, request: object): Answer {
  if (!isEndOf(request, error)) return answerOf(error, 'http');
  return expected(Code.CANCELLED, 'the caller has left', error, httpStatusOf(Code.CANCELLED));
}

/** By identity: a connection that the app itself has to others is reset with the same code. */
function isEndOf(request: { readonly errored?: unknown }, error: unknown): boolean {
  try {
    return error === request.errored && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
  } catch {
    return false;
  }
}

function readAnswer(error: unknown, door: Failure['door']): Answer | undefined {
  const ours = isStatusError(error) ? error : statusErrorIn(error);
  if (ours !== undefined) {
    return { error: readable(ours), status: httpStatusOf(ours.code), expected: true, ours };
  }
  if (isHttpException(error)) {
    const status = error.getStatus();
    return expected(
      codeOfHttpStatus(status),
      exceptionText(error.getResponse(), error),
      error,
      status,
    );
  }
  if (isRpcException(error)) return rpcAnswer(error);
  if (door === 'http' && isExposed(error)) {
    const { statusCode } = error;
    return expected(codeOfHttpStatus(statusCode), error.message, error, statusCode);
  }
  return undefined;
}

function hidden(cause: unknown): Answer {
  const error = new StatusError(Code.INTERNAL, 'internal error', { cause });
  return { error, status: 500, expected: false, ours: undefined };
}

/**
 * A StatusError itself, if all that a caller gets of it can be read.
 *
 * @throws whatever its getters throw.
 */
function readable(error: StatusError): StatusError {
  const { code, message, details, trailers } = error;
  // Another copy of the class may have let OK through, which ours does not.
  if (isCode(code) && code !== Code.OK) return error;
  return new StatusError(code, message, { cause: error, details, trailers });
}

function rpcAnswer(exception: RpcExceptionLike): Answer {
  const error = rpcStatus(exception);
  return { error, status: httpStatusOf(error.code), expected: true, ours: undefined };
}

function expected(code: Code, message: string, cause: unknown, status: number): Answer {
  const error = new StatusError(code, message, { cause });
  return { error, status, expected: true, ours: undefined };
}

interface HttpExceptionLike extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** By shape, so that an app with two copies of @nestjs/common is understood. */
export function isHttpException(error: unknown): error is HttpExceptionLike {
  return error instanceof Error && hasMethod(error, 'getStatus') && hasMethod(error, 'getResponse');
}

interface ExposedError extends Error {
  readonly statusCode: number;
}

/** On the errors of @fastify/error, which Fastify and its plugins make for the caller. */
const FASTIFY_ERROR = Symbol.for('fastify-error-generic');

/**
 * Errors that an HTTP library made for the caller: those of http-errors that say `expose`, as body
 * parsers throw them, and Fastify's own, which it has for invalid requests too.
 */
function isExposed(error: unknown): error is ExposedError {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return false;
  if ('expose' in error) return error.expose === true;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('FST_') && (FASTIFY_ERROR in error || code === 'FST_ERR_VALIDATION');
}

function hasMethod(value: object, name: string): boolean {
  return typeof (value as Record<string, unknown>)[name] === 'function';
}
