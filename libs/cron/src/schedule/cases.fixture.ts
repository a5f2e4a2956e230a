import { CronError } from '../errors.js';
import type { Case } from './judge.fixture.js';
import { type Offset, offsetsOf } from './oracle.fixture.js';
import { parseExpression } from './parse-expression.js';
import { randomExpression } from './random-expression.fixture.js';

const MINUTE = 60_000;
const HOUR = 60;

export interface Zone {
  readonly timeZone: string;
  readonly offsets: readonly Offset[];
}

/** Zones with their offsets in a span of years. Default: all that this Node knows, and UTC. */
export function* zones(
  fromYear: number,
  toYear: number,
  names: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')],
): Iterable<Zone> {
  const [from, to] = [new Date(Date.UTC(fromYear, 0)), new Date(Date.UTC(toYear, 0))];
  for (const timeZone of new Set(names)) {
    yield { timeZone, offsets: offsetsOf(timeZone, from, to) };
  }
}

/**
 * The cases of every transition of a zone: expressions made of the local times around it, fixed
 * ones and intervals, over a day and a bit before and after.
 */
export function* transitionCases({ timeZone, offsets }: Zone): Iterable<Case> {
  for (let index = 1; index < offsets.length; index++) {
    const { at, offset } = offsets[index]!;
    const before = offsets[index - 1]!.offset;
    const span = Math.abs(offset - before);
    const edge = at + Math.min(offset, before);
    const minutes = [edge - 1, edge, edge + 1, edge + Math.floor(span / 2), edge + span - 1];
    const times = [...minutes, edge + span, edge + span + 1].map(timeOf);
    const { hour, day } = timeOf(edge);
    const expressions = [
      ...times.map((time) => `${time.minute} ${time.hour} * * *`),
      `0,15,30,45 ${hour} * * *`,
      `0-59 ${hour} * * *`,
      `*/7 * * * *`,
      `5 * * * *`,
      `*/20 ${hour} * * *`,
      `30 */2 * * *`,
      `10 0-23/3 * * *`,
      `0 ${hour} ${day} * *`,
      `59 23 * * *`,
      `0 0 * * *`,
    ];
    for (const expression of new Set(expressions)) {
      // Seen from the day before, and from the middle of an overlap.
      for (const from of [at - 26 * HOUR, at + Math.floor(span / 2)]) {
        yield { expression, timeZone, offsets, from, to: at + 26 * HOUR, limit: Infinity };
      }
    }
  }
}

/** Random expressions, each in a random zone from a random moment on. */
export function* randomCases(
  all: readonly Zone[],
  count: number,
  limit: number,
  random: () => number,
): Iterable<Case> {
  for (let made = 0; made < count;) {
    const expression = randomExpression(random);
    if (!canHappen(expression)) continue;
    made++;
    const { timeZone, offsets } = all[Math.floor(random() * all.length)]!;
    const begin = offsets[0]!.at;
    // The last transition is known of, but not what comes after the span: stay inside.
    const end = begin + 10 * 365 * 24 * HOUR;
    const from = begin + Math.floor(random() * 8 * 365 * 24 * HOUR);
    yield { expression, timeZone, offsets, from, to: end, limit };
  }
}

function canHappen(expression: string): boolean {
  try {
    parseExpression(expression);
    return true;
  } catch (error) {
    if (error instanceof CronError && error.message.includes('no such day')) return false;
    throw error;
  }
}

function timeOf(local: number): { minute: number; hour: number; day: number } {
  const date = new Date(local * MINUTE);
  return { minute: date.getUTCMinutes(), hour: date.getUTCHours(), day: date.getUTCDate() };
}
