import { expect, it } from '@jest/globals';
import { PendingFlushes } from './pending-flushes.js';

/** Timers that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('a flush that is done lets the process end, whatever time it still had', async () => {
  const before = timers();
  const flushes = new PendingFlushes();
  const flushed = flushes.wait();
  expect(timers()).toBe(before + 1);
  flushes.end();
  await flushed;
  expect(timers()).toBe(before);
});
