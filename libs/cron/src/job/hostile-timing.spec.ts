import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import type { Schedule } from '../schedule/schedule.js';
import { HOUR, MINUTE, SECOND, START, everyMinute, hourly, rig } from './job.fixture.js';
import { at } from './make-job.js';

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', onUnhandled));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toHaveLength(0);
});

const refuse = (): never => {
  throw new Error('refused');
};

/** What a function of the user's can do instead of its work: throw, or return something else. */
const hostile: readonly (readonly [string, () => unknown])[] = [
  ...unreadableValues().map(
    ([what, thrown]) =>
      [
        `throws ${what}`,
        (): never => {
          throw thrown;
        },
      ] as const,
  ),
  ...unreadableValues()
    .filter(([what]) => what !== 'null')
    .map(([what, value]) => [`returns ${what}`, () => value] as const),
  ['returns a rejected promise', () => Promise.reject(new Error('late'))],
  ['returns a string', () => '2026-01-01T03:00:00Z'],
  ['returns a bigint', () => 1n],
  ['returns NaN', () => Number.NaN],
  ['returns infinity', () => Infinity],
  ['returns a negative number', () => -5],
  ['returns a number beyond 1', () => 1.5],
];

describe.each(hostile)('a random function that %s', (_, random) => {
  it.each([
    ['every', everyMinute, MINUTE],
    ['at', hourly, HOUR],
  ])('costs a job made by %s its jitter, and nothing else', async (_made, make, step) => {
    const options = { jitter: '10s', random: random as () => number };
    const { clock, runs, errors, stop } = await rig(make, options);
    await clock.advance(2 * step);
    expect(runs).toEqual([step, 2 * step]);
    expect(errors.map(String)).toEqual(
      Array(2).fill(expect.stringMatching(/cron: job (sweep|report): random: ./)),
    );
    await stop();
  });
});

describe('a random function within its range', () => {
  it.each([
    [0, 0],
    [0.5, 5 * SECOND],
  ])('that returns %d delays by that share of the jitter', async (chance, delay) => {
    const { clock, runs, errors, stop } = await rig(everyMinute, {
      jitter: '10s',
      random: () => chance,
    });
    await clock.advance(MINUTE + 10 * SECOND);
    expect([runs, errors]).toEqual([[MINUTE + delay], []]);
    await stop();
  });
});

describe.each([
  ...hostile,
  ['returns a date whose getTime throws', () => Object.assign(new Date(0), { getTime: refuse })],
  ['returns a date that lies', () => Object.assign(new Date(0), { getTime: () => Infinity })],
] as const)('a schedule whose next %s', (_, next) => {
  it('fails the job as a service, when it starts and after a run', async () => {
    const schedule = { next } as Schedule;
    const first = await rig((work, options) => at('own', schedule, work, options));
    expect(String(first.ending())).toMatch(/^CronError: cron: job own: schedule: next./);

    let calls = 0;
    const later: Schedule = {
      next: (after) => (calls++ === 0 ? new Date(START + MINUTE) : schedule.next(after)),
    };
    const second = await rig((work, options) => at('own', later, work, options));
    await second.clock.advance(2 * MINUTE);
    expect(second.runs).toEqual([MINUTE]);
    expect(String(second.ending())).toMatch(/^CronError: cron: job own: schedule: next./);
  });
});

describe('a schedule whose isRepeatable throws', () => {
  it('is refused when the job is made', () => {
    const schedule: Schedule = {
      next: () => null,
      get isRepeatable() {
        return refuse();
      },
    };
    expect(() => at('own', schedule, () => {})).toThrow('refused');
  });
});
