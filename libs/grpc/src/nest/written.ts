import { ignoreElements, isObservable, takeWhile, tap } from 'rxjs';
import type { AnsweredCall } from '../flow/answer-flow.js';
import type { NestHandler } from './nest-handler.js';

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
