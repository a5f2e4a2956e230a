import { type Observable, ReplaySubject, defer, takeUntil } from 'rxjs';
import type { Readable } from 'node:stream';
import type { NestHandler } from './answering.js';

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
export function readingOnSubscription(handler: NestHandler): NestHandler {
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
