import { Code, StatusError } from '@apix/contracts';
import { type RpcExceptionLike, carriedStatus, statusWith } from './carried-status.js';
import { generalText } from './server-status.js';

/**
 * The status of an RpcException for the caller, whatever it was created from: its code, or UNKNOWN if gRPC
 * has no such code; its message; its metadata as trailers. Of the error of a grpc-js client, the code alone
 * is meant.
 */
export function rpcStatus(error: RpcExceptionLike): StatusError {
  const carried = carriedStatus(error);
  if (carried?.fromServer === true) return carried.error;
  if (carried !== undefined) {
    const { code } = carried.error;
    return new StatusError(code, generalText(code), { cause: error });
  }
  const inner = error.getError();
  const { code, metadata } = isRecord(inner) ? inner : {};
  const given: Code = typeof code === 'number' ? code : Code.UNKNOWN;
  const { code: valid } = new StatusError(given, '');
  return statusWith({ code: valid, metadata }, exceptionText(inner, error), error);
}

/** The text inside Nest's `string | { message: string | string[] }`. */
export function exceptionText(response: unknown, error: Error): string {
  if (typeof response === 'string') return response;
  const own = isRecord(response) ? (response['message'] ?? response['details']) : undefined;
  if (typeof own === 'string') return own;
  return Array.isArray(own) ? own.map(String).join('; ') : error.message;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
