import { type CallFailure, type FailedCall, errorOf } from './call-failure.js';

/**
 * A rejection with the error of a failed call, with which the promise of a waiting caller is resolved. V8
 * looks for async callers when an error is created, and the promises are linked two turns after that.
 */
// Why: docs/decisions/0248
export async function lateFailure(failure: CallFailure, call: FailedCall): Promise<never> {
  await Promise.resolve();
  await Promise.resolve();
  throw errorOf(failure, call);
}
