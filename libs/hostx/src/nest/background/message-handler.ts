import { AsyncLocalStorage } from 'node:async_hooks';
import { type WorkOrigin } from '@apix/contracts';
import { beginWork, isPromiseLike } from '@apix/contracts/internal';
import { Observable } from 'rxjs';
import type { FollowedWork, RunEvents } from '../../background/followed-work.js';
import type { MessageHandler } from './rpc-server.js';

/**
 * A handler whose messages are followed until the last value of its result, inside the work scopes. Nest
 * subscribes outside of them, after the handler has returned.
 *
 * @param originOf of the message that a handler was called with.
 */
export function followedHandler(
  handler: MessageHandler,
  work: FollowedWork,
  originOf: (args: readonly unknown[]) => WorkOrigin,
): MessageHandler {
  const followed = (...args: unknown[]): unknown => {
    const body = (run: RunEvents): unknown => {
      const within = AsyncLocalStorage.snapshot();
      const result = beginWork(() => handler(...args));
      if (!isPromiseLike(result)) return followResult(result, run, within);
      return Promise.resolve(result).then(
        (value) => followResult(value, run, within),
        (error: unknown) => {
          run.end({ ok: false, error });
          throw error;
        },
      );
    };
    return work.follow('', body, originOf(args));
  };
  // Whether it handles events, and its extras.
  return Object.assign(followed, handler);
}

function followResult(result: unknown, run: RunEvents, within: <T>(fn: () => T) => T): unknown {
  if (result instanceof Observable) return followed(result, run, within);
  run.end({ ok: true });
  return result;
}

function followed(
  source: Observable<unknown>,
  { end, streams }: RunEvents,
  within: <T>(fn: () => T) => T,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const complete = (): void => {
      end({ ok: true });
      subscriber.complete();
    };
    const subscription = within(() =>
      source.subscribe({
        next: (value) => {
          subscriber.next(value);
          // The caller sees a regular end, and the source of the values is unsubscribed from.
          streams(complete);
        },
        error: (error: unknown) => {
          end({ ok: false, error });
          subscriber.error(error);
        },
        complete,
      }),
    );
    return () => {
      subscription.unsubscribe();
      end({ ok: true });
    };
  });
}
