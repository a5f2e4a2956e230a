import { afterEach, describe, expect, it } from '@jest/globals';
import { LoopDelay } from './process-sampler.js';

function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the delay of the event loop', () => {
  const delay = new LoopDelay();
  afterEach(() => delay.stop());

  it('is nothing before it is looked at', () => {
    expect(delay.take()).toEqual({ medianMs: 0, maxMs: 0 });
  });

  it('is small while the loop is free', async () => {
    delay.start(20);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(delay.take().medianMs).toBeLessThan(15);
  });

  it('is not looked at once it is stopped', () => {
    delay.start(20);
    delay.stop();
    hold(40);
    expect(delay.take().maxMs).toBe(0);
  });

  it('is told of a loop that is held at this moment', () => {
    delay.start(20);
    hold(120);
    const { medianMs, maxMs } = delay.take();
    expect(maxMs).toBeGreaterThanOrEqual(99);
    expect(medianMs).toBe(maxMs);
  });

  it('is the same at an interval that changes meanwhile', () => {
    delay.start(20);
    hold(120);
    delay.start(100);
    hold(20);
    delay.start(20);
    const { medianMs, maxMs } = delay.take();
    expect(maxMs).toBeGreaterThanOrEqual(99);
    expect(medianMs).toBe(maxMs);
  });

  it('is told of a loop that was held between, and once', async () => {
    delay.start(20);
    setTimeout(() => hold(150), 30);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { medianMs, maxMs } = delay.take();
    expect(maxMs).toBeGreaterThanOrEqual(100);
    expect(medianMs).toBeLessThan(maxMs);
    expect(delay.take().maxMs).toBeLessThan(maxMs);
  });
});
