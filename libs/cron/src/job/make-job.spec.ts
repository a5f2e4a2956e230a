import { describe, expect, it } from '@jest/globals';
import type { Duration } from '@apix/contracts';
import { scheduleFunc } from '../schedule/schedule.js';
import type { JobWork } from './job-options.js';
import {
  DAY,
  HOUR,
  MINUTE,
  type Make,
  SECOND,
  START,
  everyMinute,
  held,
  hourly,
  rig,
} from './job.fixture.js';
import { parseExpression } from '../schedule/parse-expression.js';
import { at, every } from './make-job.js';

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

describe('every', () => {
  it('runs on a fixed interval, first after the first one', async () => {
    const { clock, runs, ticks, stop } = await rig(everyMinute);
    await clock.advance(3 * MINUTE + 10);
    expect(runs).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE]);
    expect(ticks[0]).toEqual({ job: 'sweep', scheduled: new Date(START + MINUTE) });
    await stop();
  });

  it('drops the ticks that come while a run is under way', async () => {
    const { work, end } = held();
    const { clock, job, runs, stop } = await rig(everyMinute, { work });
    await clock.advance(3.5 * MINUTE);
    expect(job.status).toMatchObject({ phase: 'running', skipped: 2 });
    end();
    await clock.advance(0);
    expect(runs).toEqual([MINUTE]);
    await clock.advance(MINUTE);
    expect(runs).toEqual([MINUTE, 4 * MINUTE]);
    end();
    await stop();
  });

  it.each([
    ['forward', 5 * HOUR],
    ['back', -5 * HOUR],
  ])('does not care about a clock that is put %s', async (_, jump) => {
    const { clock, job, stop } = await rig(everyMinute);
    await clock.advance(30 * SECOND);
    clock.jump(jump);
    await clock.advance(2 * MINUTE);
    expect(job.status.runs.ok).toBe(2);
    await stop();
  });

  it('waits for longer than a timer of Node can', async () => {
    const { clock, runs, stop } = await rig((work, options) => every('rare', '40d', work, options));
    await clock.advance(81 * DAY);
    expect(runs).toEqual([40 * DAY, 80 * DAY]);
    await stop();
  });

  it.each<[string, Duration, Record<string, unknown>, string]>([
    ['', '1m', {}, 'cron: job: name: must be a non-empty string, not ""'],
    ['a', 0, {}, 'cron: job a: interval: must be greater than 0, not 0'],
    ['a', '1 m', {}, `cron: job a: interval: "1 m" ${NOT_A_DURATION}`],
    [
      'a',
      '*/5 * * * *',
      {},
      'cron: job a: interval: "*/5 * * * *" is an expression, not an interval; use at(…) or @At',
    ],
    [
      'a',
      '@daily',
      {},
      'cron: job a: interval: "@daily" is an expression, not an interval; use at(…) or @At',
    ],
    ['a', '1m', { runTimeout: 0 }, 'cron: job a: runTimeout: must be greater than 0, not 0'],
    ['a', '1m', { jitter: 'soon' }, `cron: job a: jitter: "soon" ${NOT_A_DURATION}`],
    ['a', '1m', { runImmediately: 1 }, 'cron: job a: runImmediately: must be true or false, not 1'],
    ['a', '1m', { stopOnError: 1 }, 'cron: job a: stopOnError: must be true or false, not 1'],
  ])('refuses %j every %j with %j', (name, interval, options, message) => {
    expect(() => every(name, interval, () => {}, options)).toThrow(
      expect.objectContaining({ name: 'CronError', message, mistakes: [expect.any(String)] }),
    );
  });

  it('refuses what is not work', () => {
    expect(() => every('a', '1m', null as unknown as JobWork)).toThrow(
      'cron: job a: work: must be a function, not null',
    );
  });

  it('reports all mistakes together', () => {
    const work = null as unknown as JobWork;
    expect(() => at('a', '0 25 * * *', work, { timeZone: 'Mars', jitter: -1 })).toThrow(
      [
        'cron: job a: 4 mistakes:',
        `jitter: -1 ${NOT_A_DURATION}`,
        'timeZone: "Mars" is not a time zone; use an IANA name such as "Europe/Berlin"',
        'schedule: "0 25 * * *": hour "25": "25" must be a number from 0 to 23',
        'work: must be a function, not null',
      ].join('\n  '),
    );
  });
});

it.each(['errorHandler', 'random'])('a job refuses a wrong %s', (option) => {
  const options = { [option]: 7 };
  expect(() => every('a', '1m', () => {}, options)).toThrow(
    `cron: job a: ${option}: must be a function, not 7`,
  );
});

describe('a misspelt option', () => {
  const misspelt = { timezone: 'UTC' } as object;
  const what = 'timezone: is not known here; did you mean timeZone?';

  it('is refused by at', () => {
    expect(() => at('a', '@hourly', () => {}, misspelt)).toThrow(`cron: job a: ${what}`);
  });

  it('is refused by parseExpression', () => {
    expect(() => parseExpression('@hourly', misspelt)).toThrow(`cron: ${what}`);
  });

  it('is refused by every, which has no time zone', () => {
    expect(() => every('a', '1m', () => {}, { jiter: '1s', timeZone: 'UTC' } as object)).toThrow(
      /jiter: is not known here; did you mean jitter\?[^]*timeZone: is not known here/,
    );
  });
});

describe('at', () => {
  it('runs at the times of its expression', async () => {
    const { clock, job, runs, stop } = await rig(hourly);
    expect(job.status).toMatchObject({
      schedule: '@hourly (UTC)',
      phase: 'waiting',
      nextRun: new Date(START + HOUR),
    });
    await clock.advance(2 * HOUR);
    expect(runs).toEqual([HOUR, 2 * HOUR]);
    await stop();
  });

  it('computes the next time after a run, and never queues what passed meanwhile', async () => {
    const { work, end } = held();
    const { clock, job, runs, stop } = await rig(hourly, { work });
    await clock.advance(3.5 * HOUR);
    expect(job.status.nextRun).toBeNull();
    end();
    await clock.advance(0);
    expect(job.status.nextRun).toEqual(new Date(START + 4 * HOUR));
    await clock.advance(HOUR);
    expect(runs).toEqual([HOUR, 4 * HOUR]);
    end();
    await stop();
  });

  it('reads its expression in a time zone', async () => {
    const berlin: Make = (work, options) =>
      at('report', '0 9 * * *', work, { ...options, timeZone: 'Europe/Berlin' });
    const { clock, job, runs, stop } = await rig(berlin);
    expect(job.status.schedule).toBe('0 9 * * * (Europe/Berlin)');
    await clock.advance(DAY);
    expect(runs).toEqual([8 * HOUR]);
    await stop();
  });

  it('waits for times that are years away', async () => {
    const leap: Make = (work, options) =>
      at('leap', '0 0 29 2 *', work, { ...options, timeZone: 'UTC' });
    const { job, stop } = await rig(leap);
    expect(job.status.nextRun).toEqual(new Date('2028-02-29T00:00Z'));
    await stop();
    const start = Date.parse('2027-12-20T00:00Z');
    const later = await rig(leap, { start });
    await later.clock.advance(80 * DAY);
    expect(later.runs).toEqual([71 * DAY]);
    await later.stop();
  });

  it.each([
    ['not by a step back of less than three hours', -HOUR, [HOUR]],
    ['not before the time again, after a step back by more', -4 * HOUR, [HOUR, HOUR]],
  ])('runs a fixed time again %s', async (_, jump, expected) => {
    const clocks: Make = (work, options) =>
      at('report', '0 1 * * *', work, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(clocks);
    await clock.advance(HOUR + MINUTE);
    clock.jump(jump);
    await clock.advance(5.5 * HOUR);
    expect(runs).toEqual(expected);
    await stop();
  });

  it('runs a fixed time once although the clock is set back during the run', async () => {
    const { work, end } = held();
    const make: Make = (run, options) =>
      at('report', '0 1 * * *', run, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(make, { work });
    await clock.advance(HOUR + MINUTE);
    clock.jump(-30 * MINUTE);
    end();
    await clock.advance(5 * HOUR);
    expect(runs).toEqual([HOUR]);
    await stop();
  });

  it.each([
    ['what a clock put forward by less than three hours has left out', 2 * HOUR, 1],
    ['nothing after a clock was put forward by more', 10 * HOUR, 0],
  ])('makes up for %s', async (_, jump, expected) => {
    const clocks: Make = (work, options) =>
      at('report', '0 1 * * *', work, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(clocks);
    clock.jump(jump);
    await clock.advance(2 * MINUTE);
    expect(runs).toHaveLength(expected);
    await stop();
  });

  it('takes a function from the previous time to the next', async () => {
    const twice = scheduleFunc((previous) => {
      const next = new Date(previous.getTime() + 90 * SECOND);
      return next.getTime() > START + 4 * MINUTE ? null : next;
    });
    const make: Make = (work, options) => at('own', twice, work, options);
    const { clock, job, runs, ending, stop } = await rig(make);
    expect(job.status.schedule).toBe('custom');
    await clock.advance(10 * MINUTE);
    expect(runs).toEqual([90 * SECOND, 180 * SECOND]);
    expect([job.status.nextRun, ending()]).toEqual([null, null]);
    await stop();
  });

  it.each([
    [
      'does not move on',
      (previous: Date) => previous,
      'schedule: next must return a later time, not 2026-01-01T00:00:00.000Z after',
    ],
    [
      'gives no date',
      () => new Date(Number.NaN),
      'next must return a later time, not an invalid date after',
    ],
  ])('fails as a service when its schedule %s', async (_, fn, message) => {
    const { ending } = await rig((work, options) => at('own', scheduleFunc(fn), work, options));
    expect(String(ending())).toContain(message);
  });

  it('refuses what is not a schedule', () => {
    expect(() => at('own', 7 as unknown as string, () => {})).toThrow(
      'cron: job own: schedule: must be an expression or an object with a next method, not 7',
    );
  });

  it('refuses a time zone for what is not an expression', () => {
    const own = scheduleFunc(() => null);
    expect(() => at('own', own, () => {}, { timeZone: 'UTC' })).toThrow(
      'cron: job own: timeZone: is only for expressions; give it to parseExpression instead',
    );
  });
});
