import { AsyncLocalStorage } from 'node:async_hooks';
import type { StagedCall } from './call-stage.js';

/** On the global object, so that two installed copies know of each other's calls. */
const CALLS = Symbol.for('apix.CallsUnderWay');

interface Followed {
  [CALLS]?: AsyncLocalStorage<StagedCall | undefined>;
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
export function callUnderWay(): StagedCall | undefined {
  return shared[CALLS]?.getStore();
}

/** Runs work as part of a call, or of none where that is undefined. */
export function runInCall<T>(call: StagedCall | undefined, run: () => T): T {
  const calls = shared[CALLS];
  return calls === undefined ? run() : calls.run(call, run);
}
