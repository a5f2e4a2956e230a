import { type Observable, defer } from 'rxjs';
import type { NestHandler } from './nest-handler.js';

/** The requests as Nest makes them. */
type NestRequests = Observable<unknown> & { readonly drainBuffer?: () => void };
interface Call {
  pause(): void;
  resume(): void;
}

/**
 * A handler of a stream of requests that begins to read when it subscribes: HTTP/2 holds the
 * caller back until then.
 *
 * Nest's own buffer starts at once, takes whatever comes while guards are still at it, and is
 * emptied when the handler's promise resolves: one that awaits its requests would wait for ever.
 */
export function readingOnSubscription(handler: NestHandler): NestHandler {
  return (requests, metadata, call) => {
    // Called before the first message can have come, so nothing is in that buffer yet.
    // Why: docs/decisions/0112
    (requests as NestRequests).drainBuffer?.();
    (call as Call).pause();
    const reading = defer(() => {
      (call as Call).resume();
      return requests as NestRequests;
    });
    return handler(reading, metadata, call);
  };
}
