import {
  generalText,
  isGrpcClientError,
  isCode,
  isServerStatus,
  isStatusError,
} from '@apix/contracts';
import { type GrpcStatus, noteFailure, statusOf } from '@apix/contracts/grpc';
import { Metadata, status } from '@grpc/grpc-js';
import type { Handle, HandlerType } from './served-handler.js';

type Listener = (error: unknown) => void;

/** What any handler is called with. */
interface AnyCall {
  readonly metadata: Metadata;
  emit(event: 'error', error: unknown): boolean;
  listeners(event: 'error'): Listener[];
  removeAllListeners(event: 'error'): unknown;
  on(event: 'error', listener: Listener): unknown;
}

const { OK } = status;

type Answer = (error: unknown, ...rest: unknown[]) => void;

/**
 * A handler each of whose failures becomes a status that a caller may see, whether it throws,
 * rejects, calls back or emits it: grpc-js itself answers UNKNOWN with the words of any error, and
 * does not look at a promise, so that the call would hang and the rejection end the process.
 */
export function settling(handle: Handle, type: HandlerType): Handle {
  const callsBack = type === 'unary' || type === 'clientStream';
  return (call, callback) => {
    const served = call as AnyCall;
    const statusFor = (error: unknown): GrpcStatus => {
      try {
        noteFailure(served.metadata, causeOf(error));
        return failureStatus(error);
      } catch {
        // A getter of the error threw.
        noteFailure(served.metadata, error);
        return statusOf(undefined);
      }
    };
    // Those of grpc-js, which answers with what it gets; the handler's own get the error itself.
    const listeners = served.listeners('error');
    served.removeAllListeners('error');
    for (const listen of listeners) served.on('error', (error) => listen(statusFor(error)));
    const answer: Answer = (error, ...rest) =>
      (callback as Answer)(error ? statusFor(error) : error, ...rest);
    const fail = (error: unknown): void => {
      if (callsBack) (callback as Answer)(statusFor(error));
      else served.emit('error', error);
    };
    try {
      const result = handle(call, callsBack ? answer : callback);
      // What a listener of the handler's own throws then comes after the status.
      if (result instanceof Promise) result.catch(fail).catch(() => {});
    } catch (error) {
      fail(error);
    }
  };
}

/** Where the exception filter answered with an error of its own, the one that it got. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return isStatusError(cause) ? (cause.cause ?? cause) : error;
}

/**
 * A StatusError's own status, or that of an error in grpc-js' form: an Error with `code` and
 * `details`, or an object with `code` and `details` or `message`. INTERNAL otherwise: errors of
 * databases have numbers too. What a client of grpc-js said by itself keeps its code alone.
 */
function failureStatus(error: unknown): GrpcStatus {
  if (isStatusError(error) || typeof error !== 'object' || error === null) return statusOf(error);
  const { code, details, metadata, message } = error as Partial<GrpcStatus & Error>;
  const text = details ?? (error instanceof Error ? undefined : message);
  if (!isCode(code) || code === OK || typeof text !== 'string') return statusOf(error);
  if (isGrpcClientError(error) && !isServerStatus(error)) {
    return { code, details: generalText(error.code), metadata: null };
  }
  return { code, details: text, metadata: metadata instanceof Metadata ? metadata : null };
}
