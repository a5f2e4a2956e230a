import { thrownText } from '@apix/contracts';
import { Level } from '../levels/level.js';
import { knownTemplate } from '../template/template-cache.js';
import { bareObject } from '../value/bare-object.js';
import { memberOf, namesOf } from '../value/members-of.js';
import { isReadableError, safeText } from '../value/safely.js';

/** The content of a call of a logger, whatever its form. */
export interface CallForm {
  /** A message template; or `text` is given, which is logged unchanged. */
  readonly template?: string;
  readonly text?: string;
  /** The values of the template's holes; consumed by the event. */
  readonly args: unknown[];
  readonly error: unknown;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

type MergedFields = Readonly<Record<string, unknown>>;

/** A call of the method of a level. */
export function formOf(level: Level, first: unknown, args: unknown[]): CallForm {
  if (level >= Level.Error) return anyForm(first, args);
  return typeof first === 'string'
    ? { template: first, args, error: undefined, fields: undefined }
    : plainForm(first, args);
}

/**
 * A call of a method whose first argument is usually a template, but is not one here: it is an error, or an
 * object of fields, as in pino.
 */
export function plainForm(first: unknown, args: unknown[]): CallForm {
  if (isReadableError(first)) return errorForm(first, args);
  const form = fieldsForm(first, args);
  if (form !== undefined) return form;
  if (typeof args[0] === 'string') return errorForm(first, args);
  return { text: safeText(first), args, error: undefined, fields: undefined };
}

/**
 * A call of `error` or `fatal`: an error and a template, a template alone, or an object of fields
 * and a template, as in pino.
 */
export function anyForm(first: unknown, args: unknown[]): CallForm {
  if (typeof first === 'string') {
    return isTemplate(first, args) ? templateForm(first, args) : errorForm(first, args);
  }
  const form = isReadableError(first) || isErrorLike(first) ? undefined : fieldsForm(first, args);
  return form ?? errorForm(first, args);
}

/** The first of two texts is the template only if the others fill its holes. */
function isTemplate(first: string, args: readonly unknown[]): boolean {
  // Why: docs/decisions/0245
  if (typeof args[0] !== 'string') return true;
  const { argumentCount } = knownTemplate(first);
  return argumentCount > 0 && argumentCount === args.length;
}

/** A template before its error: an Error that no hole takes becomes that of the event. */
function templateForm(template: string, args: unknown[]): CallForm {
  if (args.length === 0) return { template, args, error: undefined, fields: undefined };
  const { argumentCount } = knownTemplate(template);
  const place = args.findIndex((value, i) => i >= argumentCount && isReadableError(value));
  const [error] = place < 0 ? [] : args.splice(place, 1);
  return { template, args, error, fields: undefined };
}

function errorForm(error: unknown, args: unknown[]): CallForm {
  return withTemplate({ error, fields: undefined }, args, () =>
    error === undefined || error === null ? safeText(error) : thrownText(error),
  );
}

/** The form of a call with an object of fields; undefined for other values. */
function fieldsForm(value: unknown, args: unknown[]): CallForm | undefined {
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined;
  if (isPlain(value) && !hasError(value)) {
    return withTemplate({ error: undefined, fields: value as MergedFields }, args, noText);
  }
  const fields = fieldsOf(value);
  return fields === undefined ? undefined : copiedForm(fields, args);
}

/** Pino's key for an error is `err`; other libraries use `error`. */
function copiedForm(fields: MergedFields, args: unknown[]): CallForm {
  const isNamedErr = typeof fields['err'] === 'object' && fields['err'] !== null;
  if (isNamedErr) {
    const { err, ...others } = fields;
    return withTemplate({ error: err, fields: others }, args, () => thrownText(err));
  }
  if (isReadableError(fields['error'])) {
    const { error, ...others } = fields;
    return withTemplate({ error, fields: others }, args, () => thrownText(error));
  }
  return withTemplate({ error: undefined, fields }, args, noText);
}

function noText(): string {
  return '';
}

/** With the next text as the template, or else with a default text. */
function withTemplate(
  said: Pick<CallForm, 'error' | 'fields'>,
  args: unknown[],
  text: () => string,
): CallForm {
  const { error, fields } = said;
  const [template] = args;
  if (typeof template !== 'string') return { text: text(), args, error, fields };
  return { template, args: args.slice(1), error, fields };
}

/** Whether a thrown value is an error, although it is of another realm or was read from a message. */
function isErrorLike(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof memberOf(value, 'message') === 'string' && memberOf(value, 'err') === undefined;
}

/** A copy of the members of an object of fields; undefined for other objects. */
function fieldsOf(value: object): MergedFields | undefined {
  const fields = bareObject<unknown>();
  let isEmpty = true;
  for (const name of namesOf(value)) {
    const member = memberOf(value, name);
    if (member === undefined) continue;
    fields[name] = member;
    isEmpty = false;
  }
  // Dates and maps are values with a text form, and an array has no names.
  return isEmpty && !isPlain(value) ? undefined : fields;
}

/** Whether it may have a member that is the event's error. */
function hasError(value: object): boolean {
  try {
    return Object.hasOwn(value, 'err') || Object.hasOwn(value, 'error');
  } catch {
    return true;
  }
}

function isPlain(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  } catch {
    return false;
  }
}

function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy throws even here.
    return false;
  }
}
