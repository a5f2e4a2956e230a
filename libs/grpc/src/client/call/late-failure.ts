import { type CallFailure, type FailedCall, errorOf } from './call-failure.js';

/**
 * A rejection with the error of a failed call, to resolve the promise of whoever waits with. V8 finds
 * those who wait when an error is made, and the promises are linked two turns after that.
 */
// Why: docs/decisions/0278
export async function lateFailure(failure: CallFailure, call: FailedCall): Promise<never> {
  await Promise.resolve();
  await Promise.resolve();
  throw errorOf(failure, call);
}
