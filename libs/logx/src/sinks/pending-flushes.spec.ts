import { deadlineAfter } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { PendingFlushes } from './pending-flushes.js';

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('callers that wait for a flush', () => {
  it('are all told of its end, after which no timer is left that holds the process', async () => {
    const before = timers();
    const flushes = new PendingFlushes();
    const waits = [flushes.wait(), flushes.wait()];
    flushes.end();
    await Promise.all(waits);
    expect(timers()).toBe(before);
  });

  it('wait no longer than their deadline', async () => {
    const clock = fakeClock();
    let isOver = false;
    const wait = new PendingFlushes().wait(deadlineAfter(100, clock)).then(() => (isOver = true));
    await clock.advance(99);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await wait;
  });
});
