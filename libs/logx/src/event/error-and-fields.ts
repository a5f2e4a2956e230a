import { types } from 'node:util';
import { isPlainObject, isReadableError } from '@apix/contracts/internal';
import { bareObject } from '../value/bare-object.js';
import { memberOf, namesOf, shownFields } from '../value/members-of.js';
import { safely } from '../value/safely.js';

/** Members of an object that become fields of an event, as in pino. */
export type MergedFields = Readonly<Record<string, unknown>>;

/** What an object of fields gives an event. */
export interface ErrorAndFields {
  readonly error: unknown;
  readonly fields: MergedFields | undefined;
}

/**
 * The error and the fields of an object of fields; undefined for an object that is a value. Pino's key for an
 * error is `err`; other libraries use `error`.
 */
export function errorAndFieldsOf(given: object): ErrorAndFields | undefined {
  const value = shownFields(given);
  if (isPlainObject(value) && !hasError(value)) {
    return { error: undefined, fields: value };
  }
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  if (typeof fields['err'] === 'object' && fields['err'] !== null) {
    const { err, ...others } = fields;
    return { error: err, fields: others };
  }
  if (isReadableError(fields['error'])) {
    const { error, ...others } = fields;
    return { error, fields: others };
  }
  return { error: undefined, fields };
}

/** Whether a thrown value is an error, although it is of another realm or was read from a message. */
export function isForeignError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // A message with something to hide is none, whatever its fields are called.
  if (shownFields(value) !== value) return false;
  return typeof memberOf(value, 'message') === 'string' && memberOf(value, 'err') === undefined;
}

/** A copy of the members of an object of fields; undefined for other objects. */
function fieldsOf(value: object): MergedFields | undefined {
  if (isPlainObject(value)) return copyOf(value);
  if (isOfKnownClass(value)) return undefined;
  const toJSON = memberOf(value, 'toJSON');
  if (typeof toJSON !== 'function' || namesOf(value).length === 0) return copyOf(value);
  const json = safely<unknown, undefined>(
    () => toJSON.call(value, ''),
    () => undefined,
  );
  return json === value || isPlainObject(json) ? copyOf(shownFields(json)) : undefined;
}

/** Whether it is a value, although it may have members: bytes and texts have one for each place. */
function isOfKnownClass(value: object): boolean {
  return (
    ArrayBuffer.isView(value) ||
    types.isBoxedPrimitive(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isPromise(value)
  );
}

function copyOf(value: object): MergedFields | undefined {
  const fields = bareObject<unknown>();
  let isEmpty = true;
  for (const name of namesOf(value)) {
    const member = memberOf(value, name);
    if (member === undefined) continue;
    fields[name] = member;
    isEmpty = false;
  }
  // An object of a class without members is a value.
  return isEmpty && !isPlainObject(value) ? undefined : fields;
}

/** Whether it may have a member that is the event's error. */
function hasError(value: object): boolean {
  try {
    return Object.hasOwn(value, 'err') || Object.hasOwn(value, 'error');
  } catch {
    return true;
  }
}
