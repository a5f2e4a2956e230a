import { isPlainObject } from '@apix/contracts/internal';
import type { LogFn } from 'pino';
import type { ErrorAndFields, MergedFields } from '../event/error-and-fields.js';
import { withSurplus } from '../event/surplus.js';
import { memberOf, membersOf } from '../value/members-of.js';

/** The key of an error in pino. */
export const ERROR_KEY = 'err';

/** A `%` and the character after it: https://github.com/pinojs/quick-format-unescaped. */
const SPECIFIER = /%([^])/g;
const WRITES_VALUE = /[dfioOjs]/;

/**
 * The arguments of a call, for pino's hook. Pino ignores an error and fields after the values of a text, as in
 * `error('refund of %s failed', id, error)`; here they are in the merging object.
 */
export function completedCall(args: Parameters<LogFn>, level: number): Parameters<LogFn> {
  const given: readonly unknown[] = args;
  const merged = mergedFirst(given, level);
  if (merged === undefined) return args;
  const said = typeof given[0] === 'string' ? given : given.slice(1);
  return [merged, ...said] as unknown as Parameters<LogFn>;
}

/** The merging object of a call with surplus arguments; undefined if it stays as it is. */
function mergedFirst(given: readonly unknown[], level: number): object | undefined {
  const [first] = given;
  const isText = typeof first === 'string';
  const at = isText ? 1 : 2;
  const text = given[at - 1];
  if (given.length <= at || typeof text !== 'string') return undefined;
  const before = isText ? undefined : first;
  if (before !== undefined && before !== null && !isPlainObject(before)) return undefined;
  const call = { level, ...fieldsOf(before) };
  const whole = withSurplus(call, given.slice(at), valueCount(text));
  if (whole === call) return undefined;
  const { error, fields = {} } = whole;
  const merged = Object.fromEntries(membersOf(fields));
  return error === undefined ? merged : { ...merged, [ERROR_KEY]: error };
}

function fieldsOf(before: MergedFields | null | undefined): ErrorAndFields {
  if (before === undefined || before === null) return { error: undefined, fields: undefined };
  return { error: memberOf(before, ERROR_KEY), fields: before };
}

/** How many values of a text pino writes into it or skips. */
function valueCount(text: string): number {
  let count = 0;
  let place = 0;
  for (const [, kind] of text.matchAll(SPECIFIER)) {
    if (kind === '%') continue;
    place += 1;
    if (WRITES_VALUE.test(kind!)) count = place;
  }
  return count;
}
