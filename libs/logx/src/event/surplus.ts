import { isReadableError, surplusArguments } from '@apix/contracts/internal';
import { Level } from '../levels/level.js';
import { bareObject } from '../value/bare-object.js';
import { membersOf } from '../value/members-of.js';
import {
  type ErrorAndFields,
  isForeignError,
  type MergedFields,
  errorAndFieldsOf,
} from './error-and-fields.js';

/**
 * The call with the error and the fields that follow the values of its holes. What is neither stays among the
 * arguments.
 *
 * @param args are modified.
 * @param count how many of them the holes take.
 */
export function withSurplus<C extends ErrorAndFields & { readonly level: number }>(
  call: C,
  args: unknown[],
  count: number,
): C {
  const known = call.error ?? undefined;
  const isError = known === undefined ? errorsAt(call.level) : isNoError;
  const { error = known, fields, others } = surplusArguments(args.splice(count), isError);
  args.push(...others);
  if (fields === undefined) return error === known ? call : { ...call, error };
  const said = error === undefined ? errorAndFieldsOf(fields) : undefined;
  return {
    ...call,
    error: error ?? said?.error,
    fields: joined(call.fields, said?.fields ?? fields),
  };
}

/** Errors of another realm, or that were read from a message, are errors where there is usually one. */
function errorsAt(level: number): (value: unknown) => boolean {
  return level < Level.Error ? isReadableError : isAnyError;
}

function isAnyError(value: unknown): boolean {
  return isReadableError(value) || isForeignError(value);
}

function isNoError(): boolean {
  return false;
}

function joined(first: MergedFields | undefined, last: MergedFields): MergedFields {
  if (first === undefined) return last;
  const fields = bareObject<unknown>();
  for (const each of [first, last]) {
    for (const [name, value] of membersOf(each)) fields[name] = value;
  }
  return fields;
}
