import { Code, codeName, isCode, StatusError, isStatusError } from '@apix/contracts';
import { decodeStatusDetails } from './decode-status.js';
import { STATUS_DETAILS_KEY } from './encode-status.js';
import { isKeyOfOneCall } from './sendable-metadata.js';
import { type ReceivedMetadata, isServerStatus } from './server-status.js';

/** The error with which grpc-js rejects a client's call. */
export interface ServiceErrorLike extends Error {
  readonly code: Code;
  readonly details: string;
  readonly metadata: ReceivedMetadata;
}

/** The status that an error carries, and whether its text was written for callers. */
export interface CarriedStatus {
  readonly error: StatusError;
  /** False for a status that a client of grpc-js made by itself: its text may name addresses. */
  readonly fromServer: boolean;
}

/**
 * The gRPC status that an error carries: a StatusError; Nest's RpcException of an object with a
 * `code`, or of an Error with a `code` and metadata; the ServiceError that a grpc-js client fails with, alone or in an RpcException. By shape,
 * so that several installed copies are understood. Undefined for any other error, one with a number
 * as `code` included: those of databases and operating systems have numbers too.
 */
export function carriedStatus(error: unknown): CarriedStatus | undefined {
  if (isStatusError(error)) {
    return isFailure(error.code) ? { error, fromServer: true } : undefined;
  }
  if (isServiceError(error)) {
    return { error: statusWith(error, error.details, error), fromServer: isServerStatus(error) };
  }
  if (!isRpcException(error)) return undefined;
  const inner = error.getError();
  if (isStatusError(inner) || isServiceError(inner)) return carriedStatus(inner);
  if (!isRecord(inner) || !isFailure(inner['code'])) return undefined;
  const { code, metadata, details, message } = inner;
  // Errors of databases have numbers as well, but no metadata of gRPC.
  if (inner instanceof Error && !isMetadata(metadata)) return undefined;
  const text = [details, message].find((it) => typeof it === 'string') ?? error.message;
  return { error: statusWith({ code, metadata }, text, error), fromServer: true };
}

/** An Error with a gRPC `code`, `details` and metadata of grpc-js. */
function isServiceError(error: unknown): error is ServiceErrorLike {
  if (!(error instanceof Error)) return false;
  const { code, details, metadata } = error as Partial<ServiceErrorLike>;
  return isFailure(code) && typeof details === 'string' && isMetadata(metadata);
}

/**
 * Whether an error was made by a client of grpc-js, and not by code that gave an error the same fields in
 * order to answer with it: grpc-js repeats code and details in the message.
 */
export function isGrpcClientError(error: unknown): error is ServiceErrorLike {
  if (!isServiceError(error)) return false;
  const { code, details, message } = error;
  return message === `${code} ${codeName(code)}: ${details}`;
}

/** Nest's RpcException; this package does not depend on @nestjs/microservices. */
export interface RpcExceptionLike extends Error {
  getError(): unknown;
}

export function isRpcException(error: unknown): error is RpcExceptionLike {
  return (
    error instanceof Error && typeof (error as Partial<RpcExceptionLike>).getError === 'function'
  );
}

/** A status with what callers get of metadata, if it is any: details and trailers. */
export function statusWith(
  { code, metadata }: { readonly code: Code; readonly metadata?: unknown },
  message: string,
  cause: unknown,
): StatusError {
  if (!isMetadata(metadata)) return new StatusError(code, message, { cause });
  const details = metadata
    .get(STATUS_DETAILS_KEY)
    .flatMap((value) => (typeof value === 'string' ? [] : decodeStatusDetails(value)));
  return new StatusError(code, message, { cause, details, trailers: trailersOf(metadata) });
}

/** Of several binary values of one key the first; texts are joined, as HTTP does it. */
function trailersOf(metadata: ReceivedMetadata): Record<string, string | Buffer> {
  const entries = Object.keys(metadata.getMap())
    .filter((key) => !isKeyOfOneCall(key))
    .map((key): [string, string | Buffer] => {
      const values = metadata.get(key);
      const texts = values.filter((value) => typeof value === 'string');
      return [key, texts.length > 0 ? texts.join(', ') : (values[0] ?? '')];
    });
  return Object.fromEntries(entries);
}

function isMetadata(value: unknown): value is ReceivedMetadata {
  return (
    isRecord(value) && typeof value['get'] === 'function' && typeof value['getMap'] === 'function'
  );
}

/** OK is not a reason to fail, and not a reason to let anybody in. */
function isFailure(code: unknown): code is Code {
  return isCode(code) && code !== Code.OK;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
