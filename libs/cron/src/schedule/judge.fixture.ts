import { parseExpression } from './parse-expression.js';
import { type Offset, dueMinutes } from './oracle.fixture.js';

const MINUTE = 60_000;

export interface Case {
  readonly expression: string;
  readonly timeZone: string;
  readonly offsets: readonly Offset[];
  /** Minutes since the epoch. */
  readonly from: number;
  readonly to: number;
  /** How many times to compare at most. */
  readonly limit: number;
}

export interface Verdict {
  readonly compared: number;
  /** What differs, ready to be printed; null where nothing does. */
  readonly mismatch: string | null;
}

/** Compares a schedule with the oracle. */
export function judge(one: Case): Verdict {
  const { expression, timeZone, offsets, from, to, limit } = one;
  const expected = dueMinutes(expression, offsets, from, to, limit);
  const actual = timesOf(one, expected.length + 1).filter((minute) => minute <= to);
  const wanted = expected.length < limit ? expected : [...expected, ...actual.slice(limit)];
  for (let index = 0; index < Math.max(wanted.length, actual.length); index++) {
    if (wanted[index] === actual[index]) continue;
    const mismatch =
      `${expression} (${timeZone}) from ${shown(from)}: time ${index + 1} is ` +
      `${shown(actual[index])}, must be ${shown(wanted[index])}`;
    return { compared: index, mismatch };
  }
  return { compared: expected.length, mismatch: null };
}

function timesOf({ expression, timeZone, from }: Case, count: number): number[] {
  const schedule = parseExpression(expression, { timeZone });
  const times: number[] = [];
  for (let at: Date | null = new Date(from * MINUTE); times.length < count;) {
    at = schedule.next(at);
    if (at === null) break;
    times.push(at.getTime() / MINUTE);
  }
  return times;
}

function shown(minute: number | undefined): string {
  return minute === undefined ? 'none' : new Date(minute * MINUTE).toISOString();
}
