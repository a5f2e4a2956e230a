/**
 * Marks a server that can be called in the same process: `InProcessServer` of `@apix/calls`. Offered by
 * grpc; used by the gateway and by clients.
 */
export const IN_PROCESS_SERVER = Symbol.for('apix.InProcessServer');

/** The asynchronous context in which a call was made: an `AsyncResource` of Node. */
export interface CallersContext {
  runInAsyncScope<T>(read: () => T): T;
}
