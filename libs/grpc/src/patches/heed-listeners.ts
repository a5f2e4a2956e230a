import { errorMonitor } from 'node:events';
import { isPromiseLike } from '@apix/contracts';

type AnyListener = (...args: unknown[]) => unknown;

/** As much of a call as is needed to call its listeners. */
export interface Emitting {
  emit(event: string | symbol, ...args: unknown[]): boolean;
  rawListeners(event: string | symbol): readonly unknown[];
}

/**
 * Reports to `fail` what a listener throws, or a promise of it rejects with; of an `error` event that fails
 * or that no one listens to, it reports the event's own error. A stream calls most of its listeners from
 * Node's own ticks, where what they throw would end the process.
 *
 * It replaces `emit` of this one call, and lasts as long as the call: the calls of grpc-js are made without
 * `captureRejections`, and Node has nothing of the kind for what is thrown.
 */
export function heedListeners(call: Emitting, fail: (error: unknown) => void): void {
  call.emit = (event, ...args) => {
    const isError = event === 'error';
    if (isError) call.emit(errorMonitor, ...args);
    const listeners = call.rawListeners(event) as readonly AnyListener[];
    const failed = isError ? (): void => fail(args[0]) : fail;
    if (isError && listeners.length === 0) fail(args[0]);
    try {
      for (const listener of listeners) {
        const result = Reflect.apply(listener, call, args);
        if (isPromiseLike(result)) Promise.resolve(result).catch(failed);
      }
    } catch (error) {
      failed(error);
    }
    return listeners.length > 0;
  };
}
