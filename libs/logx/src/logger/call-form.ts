import { thrownText } from '@apix/contracts';
import { isReadableError, isTemplateFirst } from '@apix/contracts/internal';
import {
  type ErrorAndFields,
  isForeignError,
  errorAndFieldsOf,
} from '../event/error-and-fields.js';
import { Level } from '../levels/level.js';
import { knownTemplate } from '../template/parse-template.js';
import { namesOf } from '../value/members-of.js';
import { safeText } from '../value/safely.js';

/** The content of a call of a logger, whatever its form. */
export interface CallForm extends ErrorAndFields {
  /** A message template; or `text` is given, which is logged unchanged. */
  readonly template?: string;
  /** A text, or any other value, whose text it is. */
  readonly text?: unknown;
  /** The values of the template's holes; consumed by the event. */
  readonly args: unknown[];
}

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
  return { text: first ?? safeText(first), args, error: undefined, fields: undefined };
}

/**
 * A call of `error` or `fatal`: an error and a template, a template alone, or an object of fields
 * and a template, as in pino.
 */
export function anyForm(first: unknown, args: unknown[]): CallForm {
  if (typeof first === 'string') {
    return isTemplateFirst(first, args, argumentCount)
      ? { template: first, args, error: undefined, fields: undefined }
      : errorForm(first, args);
  }
  const form =
    isReadableError(first) || isForeignError(first) ? undefined : fieldsForm(first, args);
  return form ?? errorForm(first, args);
}

function argumentCount(template: string): number {
  return knownTemplate(template).argumentCount;
}

function errorForm(error: unknown, args: unknown[]): CallForm {
  return withTemplate({ error, fields: undefined }, args, () => textOfThrown(error));
}

/** The form of a call with an object of fields; undefined for other values. */
function fieldsForm(value: unknown, args: unknown[]): CallForm | undefined {
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined;
  const said = errorAndFieldsOf(value);
  if (said === undefined) return undefined;
  const { error, fields = {} } = said;
  return withTemplate(said, args, () => {
    if (error !== undefined) return textOfThrown(error);
    return namesOf(fields).length === 0 ? value : '';
  });
}

/** The text of an event that has only an error: its message; or a value, whose text it is. */
export function textOfThrown(error: unknown): unknown {
  if (error === undefined || error === null) return safeText(error);
  return isReadableError(error) || isForeignError(error) ? thrownText(error) : error;
}

/** With the next text as the template, or else with a default text. */
function withTemplate(said: ErrorAndFields, args: unknown[], text: () => unknown): CallForm {
  const { error, fields } = said;
  const [template] = args;
  if (typeof template !== 'string') return { text: text(), args, error, fields };
  return { template, args: args.slice(1), error, fields };
}

function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy throws even here.
    return false;
  }
}
