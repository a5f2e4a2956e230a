import { describe, expect, it } from '@jest/globals';
import { CronExpression } from '@nestjs/schedule';
import fc from 'fast-check';
import { CronError } from '../errors.js';
import { expressionFields } from './expression-fields.js';
import { randomExpression, seededRandom } from './random-expression.fixture.js';

describe('expressionFields', () => {
  it.each([
    [
      '*/5 * * * * *',
      "must have 5 fields (minute hour day-of-month month day-of-week), not 6; seconds are not supported; use an interval such as every('name', '5s', …) or @Every('name', '5s')",
    ],
    [
      '* * * * * *',
      "must have 5 fields (minute hour day-of-month month day-of-week), not 6; seconds are not supported; use an interval such as every('name', '1s', …) or @Every('name', '1s')",
    ],
    [
      '30 0 9 * * 1-5',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 6; seconds other than 0 are not supported; without them it is "0 9 * * 1-5"',
    ],
    [
      '0 10 * * ? *',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 6; years are not supported; without the last field it is "0 10 * * *"',
    ],
    [
      '0 10 1 1 * 2027',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 6; years are not supported; without the last field it is "0 10 1 1 *"',
    ],
    [
      '0 0 12 * * ? 2027',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 7; seconds and years are not supported; without them it is "0 12 * * *"',
    ],
    [
      '1, 2 * * * *',
      'must have 5 fields (minute hour day-of-month month day-of-week), not 6; a list such as 1,2 must not have spaces',
    ],
    ['0 0 12 * * ?', 'day of week "?": write "*" instead of "?"'],
    [
      'CRON_TZ=Europe/Berlin 0 4 * * *',
      'a time zone is not part of an expression; write "0 4 * * *" with the option timeZone: "Europe/Berlin"',
    ],
    [
      'TZ=UTC @daily',
      'a time zone is not part of an expression; write "@daily" with the option timeZone: "UTC"',
    ],
    [
      '@every 5m',
      "an interval is not an expression; use every('name', '5m', …) or @Every('name', '5m')",
    ],
    ['5m', "a duration is not an expression; use every('name', '5m', …) or @Every('name', '5m')"],
    ['cron(0 10 * * ? *)', 'write only what is inside the parentheses: "0 10 * * ? *"'],
    ['Mon *-*-* 04:30:00', 'a time of day is written as minute and hour: "30 4 * * *"'],
    ['@dayly', 'there is no such alias; did you mean @daily?'],
    ['0 4 * * monday', 'day of week "monday": write "mon" instead of "monday"'],
    ['0 4 * * Mon-Thurs', 'day of week "Mon-Thurs": write "thu" instead of "Thurs"'],
    [
      '0 4 * * lun',
      'day of week "lun": "lun" must be a number from 0 to 7 or one of sun, mon, tue, wed, thu, fri, sat',
    ],
    [
      '0 4 * märz *',
      'month "märz": "märz" must be a number from 1 to 12 or one of jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec',
    ],
    ['H 4 * * *', 'minute "H": "H" is a random value; write a number, and use the option jitter'],
    [
      '0~30 4 * * *',
      'minute "0~30": "0~30" is a random value; write a number, and use the option jitter',
    ],
    [
      '0 4 15W * *',
      'day of month "15W": last days and working days ("15W") are not supported; use a scheduleFunc',
    ],
    [
      '0 4 * * friL',
      'day of week "friL": last days and working days ("friL") are not supported; use a scheduleFunc',
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
    ['30-10 * * * *', 'minute "30-10": a range must not run backwards; write "30-59,0-10"'],
    ['5/10 * * * *', 'minute "5/10": a step must follow "*" or a range; write "5-59/10"'],
    ['*/0 * * * *', 'minute "*/0": "0" must be a number from 1 to 59'],
    ['*/1/2 * * * *', 'minute "*/1/2": more than one "/"'],
    ['1-2-3 * * * *', 'minute "1-2-3": more than one "-"'],
    ['1,,2 * * * *', 'minute "1,,2": "" must be a number from 0 to 59'],
    [
      '* * L * *',
      'day of month "L": last days and working days ("L") are not supported; use a scheduleFunc',
    ],
    [
      '* * * * fri#2',
      'day of week "fri#2": the nth day of a month ("fri#2") is not supported; use a scheduleFunc',
    ],
    ['* * ? * *', 'day of month "?": write "*" instead of "?"'],
    ['* * * january *', 'month "january": write "jan" instead of "january"'],
    ['mon * * * *', 'minute "mon": "mon" belongs in the field of the day of week'],
    [
      '0 4 * * fri-mon',
      'day of week "fri-mon": a range must not run backwards; write "fri-sat,sun-mon"',
    ],
    ['0 0 31 2,4 *', 'no year has such a day'],
    ['0 0 30 2 */2', 'no year has such a day'],
    [
      '@reboot',
      'a start is not a time; use a startup task or @OnStarted(), or the option runImmediately of a job',
    ],
    [
      '@quarterly',
      'there is no such alias; use one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly',
    ],
  ])('refuses %j', (expression, why) => {
    expect(() => expressionFields(expression)).toThrow(
      new CronError(`cron: ${JSON.stringify(expression)}: ${why}`),
    );
  });

  const ALL = Object.values(CronExpression);

  it.each(ALL.filter((text) => text.split(' ').length === 5))('takes %j of Nest', (text) => {
    expect(expressionFields(text)).toHaveLength(5);
  });

  it.each(ALL.filter((text) => text.split(' ').length === 6 && text.startsWith('0 ')))(
    'takes %j of Nest, whose seconds are 0, as what follows them',
    (text) => {
      expect(expressionFields(text)).toEqual(expressionFields(text.slice(2)));
    },
  );

  it.each(ALL.filter((text) => text.startsWith('*') && text.split(' ').length === 6))(
    'refuses %j of Nest, which has seconds',
    (text) => {
      expect(() => expressionFields(text)).toThrow('seconds are not supported; use an interval');
    },
  );

  it.each([
    'CRON_TZ=UTC 0 4 * * mon',
    '0 10 * * ? *',
    '0 0 12 * * ? 2027',
    '30 0 9 * * 1-5',
    'Mon 04:30',
    'TZ=UTC @daily',
  ])('writes an expression that it takes instead of %j', (text) => {
    let said = '';
    try {
      expressionFields(text);
    } catch (error) {
      said = (error as Error).message.slice(text.length + 8);
    }
    const [, instead = ''] = /(?:write|it is|minute and hour:) "([^"]+)"/.exec(said) ?? [];
    expect(expressionFields(instead)).toHaveLength(5);
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

  it('fails only with a CronError, for any text', () => {
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
