import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CronError } from '../errors.js';
import { expressionFields } from './expression-fields.js';
import { randomExpression, seededRandom } from './random-expression.fixture.js';

describe('expressionFields', () => {
  it.each([
    [
      '0 * * * * *',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 6; seconds are not supported; drop the first field',
    ],
    ['* * * *', 'must have 5 fields (minute hour day-of-month month day-of-week), not 4'],
    ['', 'must have 5 fields (minute hour day-of-month month day-of-week), not 0'],
    ['constructor', 'must have 5 fields (minute hour day-of-month month day-of-week), not 1'],
    ['60 * * * *', 'minute "60": "60" must be a number from 0 to 59'],
    ['* 24 * * *', 'hour "24": "24" must be a number from 0 to 23'],
    ['* * 0 * *', 'day of month "0": "0" must be a number from 1 to 31'],
    ['* * * 13 *', 'month "13": "13" must be a number from 1 to 12'],
    ['* * * * 8', 'day of week "8": "8" must be a number from 0 to 7'],
    ['-1 * * * *', 'minute "-1": "" must be a number from 0 to 59'],
    ['1.5 * * * *', 'minute "1.5": "1.5" must be a number from 0 to 59'],
    ['30-10 * * * *', 'minute "30-10": a range must not run backwards'],
    ['5/10 * * * *', 'minute "5/10": a step must follow "*" or a range'],
    ['*/0 * * * *', 'minute "*/0": "0" must be a number from 1 to 59'],
    ['*/1/2 * * * *', 'minute "*/1/2": more than one "/"'],
    ['1-2-3 * * * *', 'minute "1-2-3": more than one "-"'],
    ['1,,2 * * * *', 'minute "1,,2": "" must be a number from 0 to 59'],
    ['* * L * *', 'day of month "L": "L" must be a number from 1 to 31'],
    ['* * * * fri#2', 'day of week "fri#2": "fri#2" must be a number from 0 to 7'],
    ['* * ? * *', 'day of month "?": "?" must be a number from 1 to 31'],
    ['* * * january *', 'month "january": "january" must be a number from 1 to 12'],
    ['mon * * * *', 'minute "mon": "mon" must be a number from 0 to 59'],
    ['0 0 31 2,4 *', 'no year has such a day'],
    ['0 0 30 2 */2', 'no year has such a day'],
    [
      '@reboot',
      'there is no such alias; use one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly',
    ],
  ])('refuses %j', (expression, why) => {
    expect(() => expressionFields(expression)).toThrow(
      new CronError(`cron: ${JSON.stringify(expression)}: ${why}`),
    );
  });

  it('takes a day that some month lacks when the week has a say', () => {
    expect(expressionFields('0 0 31 2 1')[2].values).toEqual([31]);
  });

  it.each([
    ['* * * * *', 'a star is everything', [0, 1, 2, 3, 4, 5, 6]],
    ['* * * * 0,7', 'Sunday is 0 and 7', [0]],
    ['* * * * fri-sun', 'a range to Sunday is a weekend', [0, 5, 6]],
    ['* * * * sun-tue', 'a range from Sunday begins a week', [0, 1, 2]],
    ['* * * * 1-7/3', 'steps count from the begin of a range', [0, 1, 4]],
  ])('%s: %s', (expression, _, values) => {
    expect(expressionFields(expression)[4].values).toEqual(values);
  });

  it('never fails but with a CronError, whatever the text', () => {
    const anything = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom('*', '/', '-', ',', ' ', '1', '59', '0', 'mon', 'L', '@'))
        .map((parts) => parts.join('')),
    );
    const outcome = (text: string): string => {
      try {
        return String(expressionFields(text).length);
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(fc.property(anything, (text) => ['5', 'CronError'].includes(outcome(text))));
  });

  it('gives values in order, within their bounds and never none', () => {
    const random = seededRandom(3);
    for (let made = 0; made < 500; made++) {
      const expression = randomExpression(random).replace(/^(\S+ \S+) \S+ \S+/, '$1 * *');
      for (const { values } of expressionFields(expression)) {
        expect(values.length).toBeGreaterThan(0);
        expect([...values]).toEqual([...new Set(values)].toSorted((a, b) => a - b));
      }
    }
  });
});
