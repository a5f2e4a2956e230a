import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { ProcessSampler } from './process-sampler.js';

function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('samples of the process', () => {
  it('tell of memory, and of the delay of the event loop only while they are taken', () => {
    const sampler = new ProcessSampler(3, fakeClock());
    sampler.start(false);
    hold(160);
    sampler.take();
    sampler.stop();
    hold(160);
    sampler.take();
    const [busy, stopped] = sampler.history.since(0);
    expect(busy).toMatchObject({ rss: expect.any(Number), heapUsed: expect.any(Number) });
    expect(busy!.delayMaxMs).toBeGreaterThan(0);
    expect(stopped).toMatchObject({ delayMedianMs: 0, delayMaxMs: 0 });
  });

  it('look at the event loop more closely while somebody looks at the page', () => {
    const sampler = new ProcessSampler(3, fakeClock());
    const unseen = (isWatched: boolean): number => {
      const begun = performance.now();
      sampler.start(isWatched);
      hold(160);
      sampler.take();
      return performance.now() - begun - sampler.history.since(0).at(-1)!.delayMaxMs;
    };
    expect(unseen(true)).toBeLessThan(60);
    expect(unseen(false)).toBeGreaterThan(60);
    sampler.stop();
  });
});
