import { isObservable, map, throwIfEmpty } from 'rxjs';
import type { NestHandler } from './nest-handler.js';
import { settledValues } from './settled-values.js';

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
