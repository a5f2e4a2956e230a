import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { HostLogger } from '../log/host-logger.js';
import { render } from '../log/template.js';
import { builderOf, ending } from './host.fixture.js';
import { LikeFailures } from './observers.js';

describe('like failures', () => {
  it('are news the first time, and each tenth', () => {
    const failures = new LikeFailures();
    const news = Array.from({ length: 30 }, (_, at) =>
      failures.isNews('a', at + 1, new Error('down')),
    );
    expect(news.flatMap((isNews, at) => (isNews ? [at + 1] : []))).toEqual([1, 10, 20, 30]);
  });

  it('are news where the text, the service or the run is another', () => {
    const failures = new LikeFailures();
    expect(failures.isNews('a', 1, new Error('down'))).toBe(true);
    expect(failures.isNews('a', 2, new Error('down'))).toBe(false);
    expect(failures.isNews('b', 2, new Error('down'))).toBe(true);
    expect(failures.isNews('a', 3, new Error('gone'))).toBe(true);
    expect(failures.isNews('a', 4, new Error('gone'))).toBe(false);
    expect(failures.isNews('a', 1, new Error('gone'))).toBe(true);
  });
});

describe('the log of a service that fails again and again', () => {
  it('has the stack at the first restart and at each tenth, and a line for each', async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const logger: HostLogger = {
      information: () => {},
      warning: (template, ...args) => void lines.push(`warning ${render(template, args).message}`),
      error: (error, template, ...args) =>
        void lines.push(`error ${render(template, args).message}: ${(error as Error).message}`),
    };
    const down = (): never => {
      throw new Error('down');
    };
    const restart = { initialDelay: '1s', factor: 1, maxAttempts: 12 };
    const host = builderOf(clock)
      .withLogger(logger)
      .addService({ name: 'x', start: down }, { restart })
      .build();
    const run = ending(host.runContext());
    for (let second = 0; second < 15; second++) await clock.advance(1_000);
    await run;
    const first = 'Service x ended early and restarts in 1000 ms';
    const again = 'Service x ended early as before and restarts in 1000 ms';
    const reason = 'hostx: service x: down';
    const restarts = lines.filter((line) => line.includes('ended early'));
    expect(restarts).toEqual([
      `error ${first}, attempt 1: ${reason}`,
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `warning ${again}, attempt ${n}: ${reason}`),
      `error ${first}, attempt 10: ${reason}`,
      ...[11, 12].map((n) => `warning ${again}, attempt ${n}: ${reason}`),
    ]);
    expect(lines.at(-1)).toMatch(/^error Host failed: hostx: service x: gave up after 12 restarts/);
  });
});
