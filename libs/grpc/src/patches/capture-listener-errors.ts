import { errorMonitor } from 'node:events';
import { isPromiseLike } from '@apix/contracts/internal';

type AnyListener = (...args: unknown[]) => unknown;

/** As much of a call as is needed to call its listeners. */
export interface Emitting {
  emit(event: string | symbol, ...args: unknown[]): boolean;
  rawListeners(event: string | symbol): readonly unknown[];
}

/**
 * Reports to `fail` an error of a listener, or a rejection of its promise; for an `error` event that fails
 * or has no listener, it reports the event's own error. A stream calls most of its listeners from Node's
 * own ticks, where their errors would end the process.
 *
 * It replaces `emit` of this one call, and lasts as long as the call: the calls of grpc-js are made without
 * `captureRejections`, and Node has no such option for thrown errors.
 */
export function captureListenerErrors(call: Emitting, fail: (error: unknown) => void): void {
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
