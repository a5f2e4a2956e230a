import {
  generalText,
  isServerStatus,
  isGrpcClientError,
  isRpcException,
  rpcStatus,
} from '@apix/calls/internal';
import { type GrpcStatus, noteFailure, statusOf } from '@apix/calls/grpc';
import { isCode, isStatusError } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { Metadata, status } from '@grpc/grpc-js';
import { type Emitting, captureListenerErrors } from '../patches/capture-listener-errors.js';
import type { HandleCall, HandlerType } from './served-handler.js';

type ErrorListener = (error: unknown) => void;

/** The call object of any handler. */
interface AnyCall extends Emitting {
  readonly metadata: Metadata;
  listeners(event: 'error'): ErrorListener[];
  removeAllListeners(event: 'error'): unknown;
  on(event: 'error', listener: ErrorListener): unknown;
}

const METADATA = Symbol('apix.grpc.MetadataOfCall');

/** The call object of a handler that answers with a stream. */
interface AnsweringCall extends AnyCall {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  _final(done: () => void): void;
  once(event: 'close', listener: () => void): unknown;
  end(trailers?: unknown): unknown;
  /** As it was when the handler was called. */
  [METADATA]?: Metadata;
}

const { OK } = status;

type SendAnswer = (error: unknown, ...rest: unknown[]) => void;

/**
 * Wraps a handler so that each of its failures becomes a status that a caller may see, whether it throws,
 * rejects, calls back or emits it, destroys its call with it, or a listener of its call throws it. grpc-js
 * itself answers UNKNOWN with the message of any error, and ignores promises and listeners, so that the
 * call would hang and the error would end the process. If a callback is called several times, the first
 * answer counts.
 */
export function settling(handle: HandleCall, type: HandlerType): HandleCall {
  const callsBack = type === 'unary' || type === 'clientStream';
  return (call, callback) => {
    const served = call as AnyCall;
    // Now, since a handler may put anything in its place.
    const { metadata } = served;
    const respond = callback as SendAnswer;
    const end = callsBack
      ? (error: unknown): void => respond(statusFor(error, metadata))
      : endOfStream(served as AnsweringCall, metadata);
    // The listeners of grpc-js answer with their argument; those of the handler get the error itself.
    served.removeAllListeners('error');
    served.on('error', end);
    if (type !== 'unary') captureListenerErrors(served, end);
    const fail = callsBack ? end : (error: unknown): void => void served.emit('error', error);
    try {
      const result = handle(call, callsBack ? firstAnswer(respond, metadata) : callback);
      if (isPromiseLike(result)) Promise.resolve(result).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function firstAnswer(respond: SendAnswer, metadata: Metadata): SendAnswer {
  let answered = false;
  return (error, answer, trailers, ...rest) => {
    if (answered) return;
    answered = true;
    const all = error && !trailers ? undefined : withTrailers(trailers, metadata);
    respond(error ? statusFor(error, metadata) : error, answer, all, ...rest);
  };
}

function statusFor(error: unknown, metadata: Metadata): GrpcStatus {
  try {
    noteFailure(metadata, causeOf(error));
    const failure = failureStatus(error);
    return { ...failure, metadata: withTrailers(failure.metadata, metadata) as Metadata | null };
  } catch {
    // A getter of the error threw.
    noteFailure(metadata, error);
    return statusOf(undefined);
  }
}

/**
 * Ends a stream of answers with the status of an error, once what was written before is sent. A stream that
 * its handler destroyed does not end by itself.
 */
function endOfStream(call: AnsweringCall, metadata: Metadata): ErrorListener {
  const listeners = call.listeners('error');
  let ended = false;
  const end = (error: unknown): void => {
    if (ended) return;
    ended = true;
    const failure = statusFor(error, metadata);
    for (const listen of listeners) listen(failure);
    if (call.destroyed) call._final(() => {});
  };
  call.once('close', () => {
    if (!call.writableFinished) end(undefined);
  });
  call[METADATA] = metadata;
  call.end = endWithTrailers;
  return end;
}

/** One function for all calls. In grpc-js, the argument of `end` is the trailers of a stream. */
function endWithTrailers(this: AnsweringCall, trailers?: unknown): unknown {
  const own = Object.getPrototypeOf(this) as AnsweringCall;
  return own.end.call(this, withTrailers(trailers, this[METADATA]!));
}

/** The original error, if the exception filter answered with its own. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return isStatusError(cause) ? (cause.cause ?? cause) : error;
}

/**
 * The status of a StatusError or of Nest's RpcException, or that of an error in grpc-js' form: an Error
 * with `code` and `details`, or an object with `code` and `details` or `message`. INTERNAL otherwise:
 * errors of databases have numbers too. Of a status that a client of grpc-js created itself, only the code
 * is kept.
 */
function failureStatus(error: unknown): GrpcStatus {
  if (isStatusError(error) || typeof error !== 'object' || error === null) return statusOf(error);
  if (isRpcException(error)) return statusOf(rpcStatus(error));
  const { code, details, metadata, message } = error as Partial<GrpcStatus & Error>;
  const text = details ?? (error instanceof Error ? undefined : message);
  if (!isCode(code) || code === OK || typeof text !== 'string') return statusOf(error);
  if (isGrpcClientError(error) && !isServerStatus(error)) {
    return { code, details: generalText(error.code), metadata: null };
  }
  return { code, details: text, metadata: metadata instanceof Metadata ? metadata : null };
}

const TRAILERS = Symbol('apix.grpc.AnswerTrailers');

interface Carrier {
  [TRAILERS]?: Metadata;
}

/**
 * The metadata that is sent with the status of a call, for a handler to add to, because its answer has no
 * place for it: `trailersOf(metadata).set('x-cost', '3')`. It is sent with errors too, unless the error has
 * trailers under the same key.
 *
 * @param metadata the metadata of the call, as the handler got it.
 */
export function trailersOf(metadata: Metadata): Metadata {
  return ((metadata as Carrier)[TRAILERS] ??= new Metadata());
}

/** The metadata sent with a status: that of the status, and what the handler has added under other keys. */
export function withTrailers(given: unknown, metadata: Metadata): unknown {
  const added = (metadata as Carrier)[TRAILERS];
  if (added === undefined) return given;
  const all = added.clone();
  if (given === undefined || given === null) return all;
  try {
    for (const [key, values] of Object.entries((given as Metadata).toJSON())) {
      all.remove(key);
      for (const value of values) all.add(key, value);
    }
    return all;
  } catch {
    // No metadata: the stages have a say about it.
    return given;
  }
}
