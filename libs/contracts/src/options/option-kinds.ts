import type { Clock } from '../clock.js';
import { type Duration, durationProblem, formatDuration, parseDuration } from '../duration.js';
import type { Bounds, Mistakes } from '../mistakes.js';
import { shownValue } from '../shown-value.js';
import { isRecord, type Option, option, optionPath } from './option.js';

export const FLAG: Option<boolean> = option(
  'true or false',
  (value) => typeof value === 'boolean',
  { type: 'boolean' },
);

export const TEXT: Option<string> = option(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
  { type: 'string', minLength: 1 },
);

/** A string, also an empty one. */
export const STRING: Option<string> = option('a string', (value) => typeof value === 'string', {
  type: 'string',
});

/** A text that can be the value of an HTTP header. */
export const HEADER_VALUE: Option<string> = {
  ...TEXT,
  read(value, at, mistakes) {
    const text = TEXT.read(value, at, mistakes);
    const problem = text === undefined ? null : headerProblem(text);
    if (problem === null) return text;
    mistakes.add(at, problem);
    return undefined;
  },
};

function headerProblem(text: string): string | null {
  try {
    process.getBuiltinModule('node:http').validateHeaderValue('x', text);
    return null;
  } catch {
    return `contains characters that a header cannot have: ${shownValue(text)}`;
  }
}

/** One of several texts. */
export function choice<const T extends string>(choices: readonly T[]): Option<T> {
  const list = choices.map((each) => shownValue(each)).join(', ');
  return option(`one of ${list}`, (value) => choices.includes(value as T), { enum: choices });
}

/** A whole number. */
export function wholeNumber(bounds: Bounds = {}): Option<number> {
  return numeric('an integer', 'integer', Number.isSafeInteger, bounds);
}

/** A finite number. */
export function finiteNumber(bounds: Bounds = {}): Option<number> {
  return numeric('a number', 'number', Number.isFinite, bounds);
}

/** A number from `min` up, or `Infinity`. */
export function limit(min = 0): Option<number> {
  return numeric('a number', 'number', (value) => value === Infinity || Number.isFinite(value), {
    min,
  });
}

function numeric(
  kind: string,
  type: string,
  isOfKind: (value: unknown) => boolean,
  { min = -Infinity, max = Infinity }: Bounds,
): Option<number> {
  return option(
    `${kind}${rangeText(min, max)}`,
    (value) => isOfKind(value) && (value as number) >= min && (value as number) <= max,
    {
      type,
      ...(min !== -Infinity && { minimum: min }),
      ...(max !== Infinity && { maximum: max }),
    },
  );
}

function rangeText(min: number, max: number): string {
  if (min === -Infinity) return max === Infinity ? '' : ` of at most ${max}`;
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/** A duration, read as milliseconds; the bounds are milliseconds too. */
export function duration({ min = 0, max = Infinity }: Bounds = {}): Option<number> {
  return {
    schema: { type: ['string', 'number'], minimum: min },
    read(value, at, mistakes) {
      const problem = durationProblem(value as Duration);
      if (problem !== null) {
        mistakes.add(at, problem);
        return undefined;
      }
      const ms = parseDuration(value as Duration);
      if (ms >= min && ms <= max) return ms;
      mistakes.add(at, `must be ${durationRange(ms, min, max)}, not ${shownValue(value)}`);
      return undefined;
    },
  };
}

export const DURATION: Option<number> = duration();

function durationRange(ms: number, min: number, max: number): string {
  if (ms > max) return `at most ${formatDuration(max)}`;
  return min <= 1 ? 'greater than 0' : `at least ${formatDuration(min)}`;
}

/** A function of whatever type the options declare. */
export function callable<T>(): Option<T> {
  return option('a function', (value) => typeof value === 'function');
}

/** An object that has these methods. */
export function objectWith<T>(
  wanted: string,
  ...methods: readonly (keyof T & string)[]
): Option<T> {
  return option(wanted, (value) => hasMethods(value, methods));
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return methods.every((name) => typeof members[name] === 'function');
}

export const CLOCK: Option<Clock> = objectWith<Clock>('a clock', 'now', 'after');

/** An object whose members are read by others, such as the options of another library. */
export function foreignObject<T extends object>(wanted = 'an object'): Option<T> {
  return option(wanted, isRecord);
}

/** A value that is checked by others. */
export function anyValue<T>(): Option<T> {
  return { schema: undefined, read: (value) => value as T };
}

/** An array whose items are read one by one; wrong items are left out. */
export function arrayOf<T>(item: Option<T>, wanted = 'an array'): Option<readonly T[]> {
  return {
    schema: item.schema && { type: 'array', items: item.schema },
    read(value, at, mistakes) {
      if (!Array.isArray(value)) {
        mistakes.add(at, `must be ${wanted}, not ${shownValue(value)}`);
        return undefined;
      }
      return value.flatMap((each: unknown, i) => {
        const read = item.read(each, `${at}[${i}]`, mistakes);
        return read === undefined ? [] : [read];
      });
    },
  };
}

/** An object whose members, under any name, are read one by one; wrong members are left out. */
export function recordOf<T>(
  member: Option<T>,
  wanted = 'an object',
): Option<Readonly<Record<string, T>>> {
  return {
    schema: member.schema && { type: 'object', additionalProperties: member.schema },
    read(value, at, mistakes) {
      if (!isRecord(value)) {
        mistakes.add(at, `must be ${wanted}, not ${shownValue(value)}`);
        return undefined;
      }
      const entries = Object.entries(value).flatMap(([name, each]): [string, T][] => {
        const read = member.read(each, optionPath(at, name), mistakes);
        return read === undefined ? [] : [[name, read]];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** An option of several shapes: `shapeOf` finds the one that a value is meant to have. */
export function shaped<T>(shapeOf: (value: unknown) => Option<T>, schema?: object): Option<T> {
  return {
    schema,
    read: (value: unknown, at: string, mistakes: Mistakes) =>
      shapeOf(value).read(value, at, mistakes),
  };
}

/** An option that `false` turns off. */
export function orFalse<T>(on: Option<T>): Option<T | false> {
  return shaped<T | false>(
    (value) => (value === false ? anyValue<false>() : on),
    on.schema && { anyOf: [{ const: false }, on.schema] },
  );
}
