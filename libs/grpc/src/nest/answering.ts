import { isObservable, map, throwIfEmpty, ignoreElements, takeWhile, tap } from 'rxjs';
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
