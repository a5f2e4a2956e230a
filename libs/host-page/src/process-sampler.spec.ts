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
    sampler.start();
    hold(60);
    sampler.take();
    sampler.stop();
    hold(60);
    sampler.take();
    const [busy, stopped] = sampler.history.since(0);
    expect(busy).toMatchObject({ rss: expect.any(Number), heapUsed: expect.any(Number) });
    expect(busy!.delayMaxMs).toBeGreaterThan(0);
    expect(stopped).toMatchObject({ delayMedianMs: 0, delayMaxMs: 0 });
  });
});
