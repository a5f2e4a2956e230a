import type { Hole, Template } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import { memberOf, namesOf } from '../value/members-of.js';
import { fieldValue, type TakenValue } from '../value/taken-value.js';
import type { FieldReader } from './field-reader.js';
import { fieldName } from './reserved.js';

/** Fields of an event that do not fill a hole; none has a hole's name. */
export type ExtraFields = ReadonlyMap<string, TakenValue>;

export const NO_EXTRAS: ExtraFields = new Map();

/** The same as plain values. */
export function fieldsOfExtras(extras: ExtraFields): ReadonlyMap<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of extras) fields.set(name, fieldValue(value));
  return fields;
}

/** The fields given in addition to the arguments, and the arguments that no hole takes. */
export function extrasOf(
  reader: FieldReader,
  { holes, skipsArguments }: Pick<Template, 'holes' | 'skipsArguments'>,
  args: readonly unknown[],
  fields: Readonly<Record<string, unknown>> = {},
): ExtraFields {
  const extras = new Map<string, TakenValue>();
  const add = (field: string, value: unknown): void => {
    if (isTaken(field, holes, args.length)) return;
    const read = reader.read(field, value);
    if (read !== undefined) extras.set(field, read);
  };
  const names = namesOf(fields);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const value = memberOf(fields, name);
    if (value !== undefined) add(fieldName(name), value);
  }
  if (skipsArguments || args.length > holes.length) {
    let surplus = 0;
    args.forEach((value, i) => {
      if (!holes.some(({ argument }) => argument === i)) add(`extra_${surplus++}`, value);
    });
  }
  return extras;
}

/** Whether a hole writes the field. */
function isTaken(field: string, holes: readonly Hole[], count: number): boolean {
  for (let i = 0; i < holes.length; i++) {
    const hole = holes[i]!;
    if (hole.field === field && hole.argument < count) return true;
  }
  return false;
}
