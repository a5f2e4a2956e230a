import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallMetadata } from './call-context.js';

/** On the global object, so that two installed copies know of each other's calls. */
const CALLS = Symbol.for('apix.CallsUnderWay');

/**
 * What an outgoing call may take over from the call that it is made for: a gRPC call, or an HTTP request.
 */
export interface CallUnderWay {
  /** Its metadata, or the headers of the request. */
  readonly metadata: CallMetadata;
  /** When it must have ended, in milliseconds since the epoch. Default: not known, or never. */
  readonly deadline?: number | undefined;
  /** The id of the request that it is a part of. Default: none. */
  readonly requestId?: string | undefined;
  /** Aborts when its caller is gone. */
  readonly signal: AbortSignal;
}

interface Followed {
  [CALLS]?: AsyncLocalStorage<CallUnderWay | undefined>;
}

const shared = globalThis as typeof globalThis & Followed;

/**
 * From now on the call chain notes which call a handler's work is part of, for the whole process. It is
 * off until something asks for it, as an `AsyncLocalStorage` costs time on Node 20.
 */
export function followCalls(): void {
  shared[CALLS] ??= new AsyncLocalStorage();
}

/** Whether {@link followCalls} was called. */
export function isFollowingCalls(): boolean {
  return shared[CALLS] !== undefined;
}

/** The call that this work is part of; undefined outside of any, and while calls are not followed. */
export function callUnderWay(): CallUnderWay | undefined {
  return shared[CALLS]?.getStore();
}

/** Runs work as part of a call; undefined: outside of any call. */
export function runInCall<T>(call: CallUnderWay | undefined, run: () => T): T {
  const calls = shared[CALLS];
  return calls === undefined ? run() : calls.run(call, run);
}
