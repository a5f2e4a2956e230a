import { errorMonitor } from 'node:events';

type Listener = (...args: unknown[]) => unknown;

/** As much of a call as is needed to call its listeners. */
export interface Emitting {
  emit(event: string | symbol, ...args: unknown[]): boolean;
  rawListeners(event: string | symbol): readonly unknown[];
}

/**
 * Tells `fail` of what a listener throws, or a promise of it rejects with; of an `error` event
 * that fails or that nobody listens to, it tells of the event's own error. A stream calls most of
 * its listeners from Node's own ticks, where what they throw would end the process.
 */
export function heedListeners(call: Emitting, fail: (error: unknown) => void): void {
  call.emit = (event, ...args) => {
    const listeners = call.rawListeners(event) as readonly Listener[];
    const failed = (error: unknown): void => fail(event === 'error' ? args[0] : error);
    if (event === 'error') call.emit(errorMonitor, ...args);
    if (event === 'error' && listeners.length === 0) failed(undefined);
    try {
      for (const listener of listeners) {
        const result = Reflect.apply(listener, call, args);
        if (result instanceof Promise) result.catch(failed);
      }
    } catch (error) {
      failed(error);
    }
    return listeners.length > 0;
  };
}
