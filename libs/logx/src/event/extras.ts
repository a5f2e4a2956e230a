import type { Template } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import { membersOf } from '../value/members-of.js';
import type { FieldReader } from './field-reader.js';
import { fieldName } from './reserved.js';

/** Fields of an event that fill no hole; none has a hole's name. */
export type Extras = ReadonlyMap<string, FieldValue>;

export const NO_EXTRAS: Extras = new Map();

/** The fields that come beside the arguments, and the arguments that no hole takes. */
export function extrasOf(
  reader: FieldReader,
  { holes }: Template,
  args: readonly unknown[],
  fields: Readonly<Record<string, unknown>> = {},
): Extras {
  const extras = new Map<string, FieldValue>();
  const add = (field: string, value: unknown): void => {
    const isTaken = holes.some((hole) => hole.field === field && hole.argument < args.length);
    const read = isTaken ? undefined : reader.read(field, value);
    if (read !== undefined) extras.set(field, read);
  };
  for (const [name, value] of membersOf(fields)) add(fieldName(name), value);
  let surplus = 0;
  args.forEach((value, i) => {
    if (!holes.some(({ argument }) => argument === i)) add(`extra_${surplus++}`, value);
  });
  return extras;
}
