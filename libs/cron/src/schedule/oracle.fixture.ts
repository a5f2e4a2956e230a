/**
 * An oracle for schedules that shares nothing with what it judges: it reads expressions in its own
 * way, and walks minute by minute over offsets that it reads from Intl.
 */

const MINUTE = 60_000;
const DAY = 1440;

interface ExpressionField {
  readonly text: string;
  readonly has: (value: number) => boolean;
}

/** The ranges of minute, hour, day of month, month and day of week, and the names of the last two. */
const SPANS = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' },
  { min: 0, max: 7, names: 'SUNMONTUEWEDTHUFRISAT' },
];

/** Asks of every value whether one of the items of a field has it; Sunday is asked as 0 and as 7. */
function fieldsOf(expression: string): readonly ExpressionField[] {
  return expression.split(' ').map((text, index) => {
    const { min, max, names = '' } = SPANS[index]!;
    const plain = text.toUpperCase().replaceAll(/[A-Z]{3}/g, (name) => {
      return String(names.indexOf(name) / 3 + min);
    });
    const items = plain.split(',').map((item) => {
      const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(item)!;
      const low = Number(from ?? min);
      const high = Number(to ?? from ?? max);
      return (value: number): boolean =>
        value >= low && value <= high && (value - low) % Number(step ?? 1) === 0;
    });
    const has = (value: number): boolean => items.some((item) => item(value));
    return { text, has: index === 4 ? (day) => has(day) || (day === 0 && has(7)) : has };
  });
}

/** From `at`, in minutes since the epoch, a zone is `offset` minutes ahead of UTC. */
export interface Offset {
  readonly at: number;
  readonly offset: number;
}

/** The offsets of a zone in a span of time, the first one from its begin. */
export function offsetsOf(timeZone: string, from: Date, to: Date): readonly Offset[] {
  const read = offsetReader(timeZone);
  const begin = from.getTime() / MINUTE;
  const end = to.getTime() / MINUTE;
  const offsets: Offset[] = [{ at: begin, offset: read(begin) }];
  const step = DAY / 2;
  for (let at = begin + step; at <= end; at += step) {
    let known = offsets.at(-1)!.offset;
    while (read(at) !== known) {
      let low = Math.max(at - step, offsets.at(-1)!.at);
      let high = at;
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (read(middle) === known) low = middle;
        else high = middle;
      }
      known = read(high);
      offsets.push({ at: high, offset: known });
    }
  }
  return offsets;
}

function offsetReader(timeZone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  return (minute) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(minute * MINUTE)) part[type] = Number(value);
    const { year, month, day, hour, minute: shown } = part;
    return Date.UTC(year!, month! - 1, day, hour, shown) / MINUTE - minute;
  };
}

/**
 * The first `limit` times, as minutes since the epoch, at which an expression is due after `from`
 * and up to `to`.
 *
 * A fixed time is due in the minute in which the local time reaches or passes it for the first
 * time; any other in every minute whose local time matches.
 */
export function dueMinutes(
  expression: string,
  offsets: readonly Offset[],
  from: number,
  to: number,
  limit: number,
): number[] {
  const fields = fieldsOf(expression);
  const isFixed = !fields.slice(0, 2).some(({ text }) => text.includes('*') || text.includes('/'));
  const isDue = matcher(fields);
  const due: number[] = [];
  let index = offsets.findLastIndex(({ at }) => at <= from);
  let reached = reachedBy(offsets, index, from);
  for (let now = from + 1; now <= to && due.length < limit; now++) {
    while (offsets[index + 1] !== undefined && offsets[index + 1]!.at <= now) index++;
    const local = now + offsets[index]!.offset;
    const day = Math.floor(local / DAY);
    const nextChange = offsets[index + 1]?.at ?? Infinity;
    if (local % DAY === 0 && reached === local - 1 && nextChange - now > DAY && !isDue.day(day)) {
      // Nothing can happen in a day that does not match and has no change.
      now += DAY - 1;
      reached = local + DAY - 1;
      continue;
    }
    if (isFixed) {
      let isReached = false;
      for (let minute = reached + 1; minute <= local; minute++) isReached ||= isDue.minute(minute);
      if (isReached) due.push(now);
    } else if (isDue.minute(local)) due.push(now);
    reached = Math.max(reached, local);
  }
  return due;
}

/** The latest local minute that there has been by now: more than the present one in an overlap. */
function reachedBy(offsets: readonly Offset[], index: number, now: number): number {
  let reached = now + offsets[index]!.offset;
  for (let at = 1; at <= index; at++) {
    reached = Math.max(reached, offsets[at]!.at - 1 + offsets[at - 1]!.offset);
  }
  return reached;
}

interface Matcher {
  minute(local: number): boolean;
  day(day: number): boolean;
}

function matcher(fields: readonly ExpressionField[]): Matcher {
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = fields as [
    ExpressionField,
    ExpressionField,
    ExpressionField,
    ExpressionField,
    ExpressionField,
  ];
  let knownDay = Number.NaN;
  let known = false;
  const matchesDay = (day: number): boolean => {
    if (day === knownDay) return known;
    const date = new Date(day * DAY * MINUTE);
    const ofMonth = daysOfMonth.has(date.getUTCDate());
    const ofWeek = daysOfWeek.has(date.getUTCDay());
    const both = [daysOfMonth, daysOfWeek].some(({ text }) => text.startsWith('*'));
    knownDay = day;
    known = months.has(date.getUTCMonth() + 1) && (both ? ofMonth && ofWeek : ofMonth || ofWeek);
    return known;
  };
  const minuteSet = new Set(Array.from({ length: 60 }, (_, value) => value).filter(minutes.has));
  const hourSet = new Set(Array.from({ length: 24 }, (_, value) => value).filter(hours.has));
  return {
    day: matchesDay,
    minute: (local) =>
      minuteSet.has(local % 60) &&
      hourSet.has(Math.floor((local % DAY) / 60)) &&
      matchesDay(Math.floor(local / DAY)),
  };
}
