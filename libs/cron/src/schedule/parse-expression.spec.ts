import { describe, expect, it } from '@jest/globals';
import { randomCases, transitionCases, zones } from './cases.fixture.js';
import { judge } from './judge.fixture.js';
import { parseExpression } from './parse-expression.js';
import { seededRandom } from './random-expression.fixture.js';

/** The next times of an expression, in UTC to the minute. */
function times(expression: string, timeZone: string, from: string, count: number): string[] {
  const schedule = parseExpression(expression, { timeZone });
  const found: string[] = [];
  for (let at: Date | null = new Date(from); found.length < count;) {
    at = schedule.next(at);
    if (at === null) break;
    found.push(at.toISOString().replace(':00.000Z', ''));
  }
  return found;
}

describe('an expression', () => {
  it.each([
    ['@hourly', ['2026-01-01T01:00', '2026-01-01T02:00']],
    ['@daily', ['2026-01-02T00:00', '2026-01-03T00:00']],
    ['@midnight', ['2026-01-02T00:00', '2026-01-03T00:00']],
    ['@weekly', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['@monthly', ['2026-02-01T00:00', '2026-03-01T00:00']],
    ['@yearly', ['2027-01-01T00:00', '2028-01-01T00:00']],
    ['@ANNUALLY', ['2027-01-01T00:00', '2028-01-01T00:00']],
    ['*/20 9-10 * * mon-fri', ['2026-01-01T09:00', '2026-01-01T09:20', '2026-01-01T09:40']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 29 feb *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 12 * * FRI-SUN', ['2026-01-02T12:00', '2026-01-03T12:00', '2026-01-04T12:00']],
    ['0 12 * * 7', ['2026-01-04T12:00', '2026-01-11T12:00']],
    ['5,10-12/2,59 0 1 1 *', ['2026-01-01T00:05', '2026-01-01T00:10', '2026-01-01T00:12']],
  ])('%s is due at the right times', (expression, expected) => {
    expect(times(expression, 'UTC', '2026-01-01T00:00:00Z', expected.length)).toEqual(expected);
  });

  it.each([
    [
      'either, when neither begins with *',
      '0 0 13 * 5',
      ['2026-02-06', '2026-02-13', '2026-02-20'],
    ],
    ['both, when the week begins with *', '0 0 13 * *', ['2026-02-13', '2026-03-13', '2026-04-13']],
    ['both, when the month begins with *', '0 0 * * 5', ['2026-02-06', '2026-02-13', '2026-02-20']],
    ['both, with a step of * too', '0 0 */2 * 5', ['2026-02-13', '2026-02-27', '2026-03-13']],
    ['both, with a * in a list too', '0 0 *,3 * 5', ['2026-02-06', '2026-02-13', '2026-02-20']],
    ['either, with a full range', '0 0 1-31 * 5', ['2026-02-02', '2026-02-03', '2026-02-04']],
  ])('takes day of month and day of week: %s', (_, expression, expected) => {
    const from = '2026-02-01T12:00:00Z';
    expect(times(expression, 'UTC', from, 3)).toEqual(expected.map((day) => `${day}T00:00`));
  });

  it.each([
    // New York springs forward on 8 March 2026 at 07:00Z and back on 1 November at 06:00Z.
    [
      'once at the end of a gap',
      '30 2 * * *',
      '2026-03-08T00:00',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'once for several in one gap',
      '0,30 2 * * *',
      '2026-03-08T00:00',
      ['2026-03-08T07:00', '2026-03-09T06:00'],
    ],
    [
      'once at the first of an overlap',
      '30 1 * * *',
      '2026-11-01T00:00',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'not again in an overlap, seen from its second half',
      '45 1 * * *',
      '2026-11-01T06:35',
      ['2026-11-02T06:45'],
    ],
    [
      'as shown, an interval: not in a gap',
      '*/30 2 * * *',
      '2026-03-08T00:00',
      ['2026-03-09T06:00'],
    ],
    [
      'as shown, an interval: both of an overlap',
      '30 * * * *',
      '2026-11-01T05:00',
      ['2026-11-01T05:30', '2026-11-01T06:30', '2026-11-01T07:30'],
    ],
  ])('is due %s', (_, expression, from, expected) => {
    const zone = 'America/New_York';
    expect(times(expression, zone, `${from}:00Z`, expected.length)).toEqual(expected);
  });

  it('is due at the end of a gap that ends at midnight', () => {
    expect(times('30 23 * * *', 'America/Nuuk', '2025-03-29T03:00:00Z', 2)).toEqual([
      '2025-03-30T01:00',
      '2025-03-31T00:30',
    ]);
  });

  it('is due at the end of a day that a zone left out', () => {
    expect(times('0 12 30 12 *', 'Pacific/Apia', '2011-12-01T00:00:00Z', 2)).toEqual([
      '2011-12-30T10:00',
      '2012-12-29T22:00',
    ]);
  });

  it('is read in the local time of the host unless a time zone is given', () => {
    const local = parseExpression('0 0 1 1 *').next(new Date(2026, 5))!;
    expect([local.getFullYear(), local.getMonth(), local.getHours()]).toEqual([2027, 0, 0]);
  });

  it('moves on from within a minute', () => {
    const next = parseExpression('* * * * *', { timeZone: 'UTC' }).next(
      new Date('2026-01-01T00:00:59.999Z'),
    );
    expect(next).toEqual(new Date('2026-01-01T00:01:00Z'));
  });

  it('refuses a zone that there is not', () => {
    expect(() => parseExpression('@daily', { timeZone: 'Mars/Base' })).toThrow(
      'cron: timeZone: "Mars/Base" is not a time zone; use an IANA name such as "Europe/Berlin"',
    );
  });
});

describe('against an oracle that walks minute by minute', () => {
  // `npm run conformance:cron` takes every zone, ten years and 10,000 expressions.
  const names = ['America/New_York', 'America/Nuuk', 'Africa/Casablanca', 'Australia/Lord_Howe'];

  it('agrees around the changes of the clocks', () => {
    const verdicts = [...zones(2025, 2027, names)]
      .flatMap((zone) => [...transitionCases(zone)])
      .map(judge);
    expect(verdicts.flatMap(({ mismatch }) => mismatch ?? [])).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(200);
  });

  it('agrees on random expressions', () => {
    const cases = randomCases([...zones(2025, 2035, names)], 300, 10, seededRandom(7));
    const verdicts = [...cases].map(judge);
    expect(verdicts.flatMap(({ mismatch }) => mismatch ?? [])).toEqual([]);
    expect(verdicts.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(2_000);
  });
});
