import { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { Level } from '../levels/level.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';
import { burstLimit, everyN, type Sampler } from './sampling.js';

function sampled(sampler: Sampler, count: number): string {
  return Array.from({ length: count }, () => (sampler.sample(Level.Information) ? 'x' : '.')).join(
    '',
  );
}

describe('everyN', () => {
  it.each([
    [1, 'xxxxxx'],
    [2, 'x.x.x.'],
    [4, 'x...x.'],
    [0, '......'],
  ])('of %d emits one of every n events', (n, pattern) => {
    expect(sampled(everyN(n), 6)).toBe(pattern);
  });

  it.each([-1, 1.5, NaN, Infinity])('refuses %d', (n) => {
    expect(() => everyN(n)).toThrow(OptionsError);
  });
});

describe('burstLimit', () => {
  it('emits a burst in each period and drops the overflow', () => {
    const clock = fakeClock(1_000);
    const sampler = burstLimit(2, '1s', undefined, clock);
    expect(sampled(sampler, 4)).toBe('xx..');
    clock.jump(999);
    expect(sampled(sampler, 2)).toBe('..');
    clock.jump(1);
    expect(sampled(sampler, 4)).toBe('xx..');
  });

  it('hands the overflow to the next sampler', () => {
    expect(sampled(burstLimit(2, '1h', everyN(3)), 8)).toBe('xxx..x..');
  });

  it('goes on when the clock is set back', () => {
    const clock = fakeClock(1e12);
    const sampler = burstLimit(1, '1s', undefined, clock);
    expect(sampled(sampler, 2)).toBe('x.');
    clock.jump(-3_600_000);
    expect(sampled(sampler, 2)).toBe('x.');
  });

  it.each([
    [-1, '1s', /^logx: burstLimit: burst: must be an integer of at least 0, not -1/],
    [1.5, '1s', /^logx: burstLimit: burst: must be an integer of at least 0, not 1\.5/],
    [1, 0, /^logx: burstLimit: period: must be greater than 0, not 0/],
    [1, 'soon', /^logx: burstLimit: period: "soon" is not a valid duration/],
  ])('refuses %d in %s', (burst, period, message) => {
    expect(() => burstLimit(burst, period)).toThrow(OptionsError);
    expect(() => burstLimit(burst, period)).toThrow(message);
  });
});

describe('sampling of a logger', () => {
  it('applies after level filtering, and never to fatal events', () => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged], sampling: everyN(2) });
    for (let i = 0; i < 4; i++) {
      log.debug('below');
      log.info('{I}', i);
      log.write({ level: Level.Fatal, text: 'fatal' });
    }
    expect(logged.at('information').messages).toEqual(['0', '2']);
    expect(logged.at('fatal').count).toBe(4);
  });
});
