import { isCode, isStatusError } from '@apix/contracts';
import { type GrpcStatus, noteFailure, statusOf } from '@apix/contracts/grpc';
import { Metadata, status } from '@grpc/grpc-js';
import type { Handle, HandlerType } from './served-handler.js';

/** What any handler is called with. */
interface AnyCall {
  readonly metadata: Metadata;
  emit(event: 'error', error: unknown): boolean;
}

const { OK } = status;

type Answer = (error: unknown) => void;

/**
 * A handler whose throw or rejected promise becomes the call's status. grpc-js itself answers
 * UNKNOWN to a throw, and does not look at a promise: the call would hang and the rejection end
 * the process.
 */
export function settling(handle: Handle, type: HandlerType): Handle {
  const callsBack = type === 'unary' || type === 'clientStream';
  return (call, answer) => {
    const fail = (error: unknown): void => {
      const served = call as AnyCall;
      noteFailure(served.metadata, error);
      const status = failureStatus(error);
      if (callsBack) (answer as Answer)(status);
      else served.emit('error', status);
    };
    try {
      const result = handle(call, answer);
      // What a listener of the handler's own throws then comes after the status.
      if (result instanceof Promise) result.catch(fail).catch(() => {});
    } catch (error) {
      fail(error);
    }
  };
}

/** A StatusError's own status, or that of an error in grpc-js' form; INTERNAL otherwise. */
function failureStatus(error: unknown): GrpcStatus {
  if (isStatusError(error) || typeof error !== 'object' || error === null) return statusOf(error);
  try {
    const { code, details, metadata } = error as Partial<GrpcStatus>;
    const isOwn = isCode(code) && typeof details === 'string';
    if (!isOwn || code === OK) return statusOf(error);
    return { code, details, metadata: metadata instanceof Metadata ? metadata : null };
  } catch {
    // A getter of the error threw.
    return statusOf(error);
  }
}
