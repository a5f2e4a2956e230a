import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Observable } from 'rxjs';
import { isHeldBack } from '../flow/answer-flow.js';
import type { NestHandler } from './prepared-handler.js';

/** The call that a handler answers with a stream, while it runs. */
const answeredCall = new AsyncLocalStorage<Writable>();

/** Paths of the methods whose answers may be {@link paced}. */
const pacedMethods = new Set<string>();

/** Gives the handlers of a method access to their call. */
export function mayBePaced(path: string): void {
  pacedMethods.add(path);
}

/**
 * One of Nest's within which {@link paced} finds the call. Others are left as they are: on Node 20, an
 * `AsyncLocalStorage` that is used makes every promise and every write of the process dearer.
 */
export function knowingItsCall(path: string, handler: NestHandler): NestHandler {
  if (!pacedMethods.has(path)) return handler;
  return (call, callback) => answeredCall.run(call as Writable, handler, call, callback);
}

/** Whether a handler has answered with a generator, or another source that can be asked. */
export function isAsyncIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/**
 * The values as an Observable, for Nest, which asks for the next one only when the call has taken the last:
 * Nest itself buffers everything that an Observable sends ahead of a slow caller. When the values are no
 * longer needed, as when the call is cancelled, the iterator's `return` is called.
 */
export function paced(values: AsyncIterable<unknown>): Observable<unknown> {
  const call = answeredCall.getStore();
  return new Observable((subscriber) => {
    const iterator = values[Symbol.asyncIterator]();
    const gone = new AbortController();
    const send = async (): Promise<void> => {
      while (!subscriber.closed) {
        const { done, value } = await iterator.next();
        if (done === true) return;
        subscriber.next(value);
        // Why: docs/decisions/0112
        if (call && isHeldBack(call)) await once(call, 'drain', { signal: gone.signal });
      }
    };
    send().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => {
      gone.abort();
      void leave(iterator);
    };
  });
}

/** The result of an iterator's `return`, or its error, is ignored. */
async function leave(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The call has its status.
  }
}
