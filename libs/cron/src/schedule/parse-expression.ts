import { Cron } from 'croner';
import { Mistakes } from '@apix/contracts';
import { type OptionTable, readOptions } from '@apix/contracts/internal';
import { CronError, cronErrorOf } from '../errors.js';
import { type ExpressionFields, expressionFields } from './expression-fields.js';
import { type NextLocal, nextReached, nextShown } from './next-time.js';
import type { Schedule } from './schedule.js';
import { TIME_ZONE, zoneOf } from './time-zone.js';

const MINUTE = 60_000;

/** How an expression is read. */
export interface ExpressionOptions {
  /** IANA name, such as `Europe/Berlin`. Default: the host's local time. */
  readonly timeZone?: string | undefined;
}

const EXPRESSION_OPTIONS = { timeZone: TIME_ZONE } satisfies OptionTable<ExpressionOptions>;

/**
 * A schedule of a classic expression of five fields, or an alias: `@yearly` (`@annually`), `@monthly`,
 * `@weekly`, `@daily` (`@midnight`), `@hourly`.
 *
 * - Day of month and day of week: if one of the texts begins with `*`, a day must match both, otherwise one
 *   of them is enough.
 * - Fixed times, those whose minute and hour have neither `*` nor `/`: when the clocks go forward over one,
 *   it runs once, at the end of the gap; when they go back over one, once, the first time.
 * - All others follow the local time: nothing in the gap, both times in the overlap.
 *
 * @throws CronError for anything else (also for six fields, unless the first, the seconds, is 0), for days that do not exist, and for an unknown
 *   time zone.
 */
export function parseExpression(expression: string, options: ExpressionOptions = {}): Schedule {
  const mistakes = new Mistakes();
  const read = readOptions(EXPRESSION_OPTIONS, options, '', mistakes);
  const schedule = expressionSchedule(expression, read, mistakes, '');
  mistakes.throwIfAny(cronErrorOf('cron'));
  return schedule!;
}

/** The same for an option of a job; null with something wrong, which goes to `mistakes`. */
export function expressionSchedule(
  expression: string,
  { timeZone }: ExpressionOptions,
  mistakes: Mistakes,
  where = 'schedule',
): Schedule | null {
  const zone = zoneOf(timeZone);
  const fields = fieldsOf(expression, mistakes, where);
  if (fields === null) return null;
  const next = nextLocal(fields);
  const isRepeatable = fields.slice(0, 2).some(({ text }) => /[*/]/.test(text));
  const nextDue = isRepeatable ? nextShown : nextReached;
  return {
    description: timeZone === undefined ? expression : `${expression} (${timeZone})`,
    isRepeatable,
    next(after) {
      const due = nextDue(zone, next, Math.floor(after.getTime() / MINUTE));
      return due === null ? null : new Date(due * MINUTE);
    },
  };
}

function fieldsOf(expression: string, mistakes: Mistakes, where: string): ExpressionFields | null {
  try {
    return expressionFields(expression);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    for (const mistake of error.mistakes) mistakes.add(where, mistake);
    return null;
  }
}

/**
 * The matches on a calendar without changes of the clocks, by croner; its own rules for those
 * miss a gap that ends at midnight.
 */
function nextLocal(fields: ExpressionFields): NextLocal {
  const [, , dayOfMonth, , dayOfWeek] = fields;
  const cron = new Cron(fields.map(({ text }) => text).join(' '), {
    mode: '5-part',
    paused: true,
    utcOffset: 0,
    domAndDow: dayOfMonth.isStar || dayOfWeek.isStar,
  });
  return (local) => {
    const match = cron.nextRun(new Date(local * MINUTE));
    return match === null ? null : match.getTime() / MINUTE;
  };
}
