import { GrpcMethodStreamingType } from '../npm-install/@nestjs/microservices.js';
import {
  isObservable,
  map,
  throwIfEmpty,
  ignoreElements,
  takeWhile,
  tap,
  type Observable,
  ReplaySubject,
  defer,
  takeUntil,
} from 'rxjs';
import type { Readable } from 'node:stream';
import { settledValues } from './settled-values.js';
import type { AnsweredCall } from '../flow/answer-flow.js';

/**
 * A handler whose Observable Nest can send, whatever it emits: promises are awaited, and nothing (`null`,
 * `undefined`) is the empty message, as if a handler returns it. Nest itself ignores rejections, throws
 * null from the stream where nothing catches it, and leaves a call without an answer open.
 *
 * @param streams whether the method answers with a stream, which may be empty.
 */
export function answering(handler: NestHandler, streams: boolean): NestHandler {
  return async (...args) => {
    const answer = await handler(...args);
    if (!isObservable(answer)) return answer ?? {};
    const messages = settledValues(answer).pipe(map((value) => value ?? {}));
    return streams ? messages : messages.pipe(throwIfEmpty(noAnswer));
  };
}

function noAnswer(): Error {
  return new Error(
    'grpc: the Observable of a handler completed without a value; emit the response',
  );
}

/**
 * A handler whose messages are written to their call, which bounds what waits for the caller. Nest
 * gets only their end: it would keep whatever an Observable emits ahead of a slow caller.
 */
export function writing(handler: NestHandler): NestHandler {
  return async (...args) => {
    const answer = await handler(...args);
    if (!isObservable(answer)) return answer;
    const call = args[2] as AnsweredCall;
    return answer.pipe(
      takeWhile(() => !call.cancelled),
      tap((message) => call.write(message)),
      ignoreElements(),
    );
  };
}

/** A handler on its way through Nest: of the request, metadata and call, or of the call itself. */
export type NestHandler = (...args: unknown[]) => Promise<unknown>;

/** The requests as Nest makes them. */
type NestRequests = Observable<unknown> & { readonly drainBuffer?: () => void };

/**
 * A handler of a stream of requests that begins to read when it subscribes: HTTP/2 holds the
 * caller back until then.
 *
 * Nest's own buffer starts at once, takes whatever comes while guards are still at it, and is
 * emptied when the handler's promise resolves: one that awaits its requests would wait forever.
 * A call that is cancelled completes the requests.
 */
function readingOnSubscription(handler: NestHandler): NestHandler {
  return (requests, metadata, ofGrpc) => {
    const call = ofGrpc as Readable;
    // Called before the first message can have come, so nothing is in that buffer yet.
    // Why: docs/decisions/0112
    (requests as NestRequests).drainBuffer?.();
    call.pause();
    // Nest 11 does not complete these requests, and listens to this event to unsubscribe from them.
    const brokenOff = new ReplaySubject<void>(1);
    call.once('cancelled', () => brokenOff.next());
    const reading = defer(() => {
      call.resume();
      return (requests as NestRequests).pipe(takeUntil(brokenOff));
    });
    return handler(reading, metadata, call);
  };
}

/** A handler that speaks to its call itself (`@GrpcStreamCall`) is left as it is. */
export function prepared(
  handler: NestHandler,
  responseStream: boolean,
  streaming: GrpcMethodStreamingType,
): NestHandler {
  if (streaming === GrpcMethodStreamingType.PT_STREAMING) return handler;
  const reads = streaming === GrpcMethodStreamingType.RX_STREAMING;
  const answers = answering(reads ? readingOnSubscription(handler) : handler, responseStream);
  return responseStream ? writing(answers) : answers;
}
