import { describe, expect, it } from '@jest/globals';
import type { StagedCall } from './call-stage.js';
import { callUnderWay, followCalls, isFollowingCalls, runInCall } from './call-under-way.js';

const call = { requestId: 'r' } as unknown as StagedCall;

describe('the call under way', () => {
  it('is not known until somebody wants to know it', () => {
    expect(isFollowingCalls()).toBe(false);
    expect(runInCall(call, callUnderWay)).toBeUndefined();
    followCalls();
    expect(isFollowingCalls()).toBe(true);
    expect(runInCall(call, callUnderWay)).toBe(call);
  });

  it('is that of the work and of what it waits for, and of nothing else', async () => {
    followCalls();
    const later = async (): Promise<unknown> => {
      await Promise.resolve();
      return callUnderWay();
    };
    expect(await runInCall(call, later)).toBe(call);
    expect(callUnderWay()).toBeUndefined();
    expect(runInCall(call, () => runInCall(undefined, callUnderWay))).toBeUndefined();
  });

  it('is the same for another copy of the package', () => {
    followCalls();
    const key = Symbol.for('apix.CallsUnderWay');
    const { [key]: shared } = globalThis as { [key]?: { getStore(): unknown } };
    expect(runInCall(call, () => shared!.getStore())).toBe(call);
  });
});
