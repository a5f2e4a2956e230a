import { AsyncLocalStorage } from 'node:async_hooks';
import { isPromiseLike } from '@apix/contracts';
import { Observable } from 'rxjs';
import type { FollowedWork } from '../../background/followed-work.js';
import type { Outcome } from '../../outcome.js';
import type { MessageHandler } from './rpc-server.js';

type End = (outcome: Outcome) => void;

/**
 * A handler whose messages are followed until the last value of what it returns, inside the work
 * scopes. Nest subscribes outside of them, after the handler has returned.
 */
export function followedHandler(handler: MessageHandler, work: FollowedWork): MessageHandler {
  const followed = (...args: unknown[]): unknown =>
    work.follow('', (end) => {
      const within = AsyncLocalStorage.snapshot();
      const result = handler(...args);
      if (!isPromiseLike(result)) return followResult(result, end, within);
      return Promise.resolve(result).then(
        (value) => followResult(value, end, within),
        (error: unknown) => {
          end({ ok: false, error });
          throw error;
        },
      );
    });
  // Whether it handles events, and its extras.
  return Object.assign(followed, handler);
}

function followResult(result: unknown, end: End, within: <T>(fn: () => T) => T): unknown {
  if (result instanceof Observable) return followed(result, end, within);
  end({ ok: true });
  return result;
}

function followed(
  source: Observable<unknown>,
  end: End,
  within: <T>(fn: () => T) => T,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const subscription = within(() =>
      source.subscribe({
        next: (value) => subscriber.next(value),
        error: (error: unknown) => {
          end({ ok: false, error });
          subscriber.error(error);
        },
        complete: () => {
          end({ ok: true });
          subscriber.complete();
        },
      }),
    );
    return () => {
      subscription.unsubscribe();
      end({ ok: true });
    };
  });
}
