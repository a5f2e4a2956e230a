import type { FieldValue } from '../value/field-value.js';
import { fieldValue, type TakenValue } from '../value/taken-value.js';
import type { Hole, Template } from '../template/template.js';
import { valuesOfNames, namesOf, shownFields } from '../value/members-of.js';
import type { FieldReader } from './field-reader.js';
import { fieldName } from './reserved.js';

/**
 * Fields of an event that do not fill a hole, in their order; none has a hole's name. Most events with such
 * fields have one or two, for which two lists are faster than a map.
 */
export class ExtraFields {
  constructor(
    /** Unique. */
    readonly names: readonly string[],
    readonly values: readonly TakenValue[],
  ) {}

  get(name: string): TakenValue | undefined {
    return this.values[this.names.indexOf(name)];
  }

  /** The same as plain values. */
  get fields(): ReadonlyMap<string, FieldValue> {
    return new Map(this.names.map((name, i) => [name, fieldValue(this.values[i]!)]));
  }
}

export const NO_EXTRAS = new ExtraFields([], []);

/** The fields given in addition to the arguments, and the arguments that no hole takes. */
export function extrasOf(
  reader: FieldReader,
  { holes, skipsArguments }: Pick<Template, 'holes' | 'skipsArguments'>,
  args: readonly unknown[],
  given: Readonly<Record<string, unknown>> = {},
): ExtraFields {
  const fields = shownFields(given);
  const names = namesOf(fields);
  const members = valuesOfNames(names, fields);
  // What is read of each member takes its place: arrays that grow are allocated several times.
  const values = members as TakenValue[];
  let count = 0;
  for (let i = 0; i < names.length; i++) {
    const value = members[i];
    if (value === undefined) continue;
    const field = fieldName(names[i]!);
    if (isTaken(field, holes, args.length)) continue;
    const read = reader.read(field, value);
    if (read === undefined) continue;
    names[count] = field;
    values[count++] = read;
  }
  if (count < names.length) names.length = values.length = count;
  if (skipsArguments || args.length > holes.length) addSurplus(reader, holes, args, names, values);
  return new ExtraFields(names, values);
}

/** Adds the arguments that no hole takes; they replace fields of the same name. */
function addSurplus(
  reader: FieldReader,
  holes: readonly Hole[],
  args: readonly unknown[],
  names: string[],
  values: TakenValue[],
): void {
  let surplus = 0;
  args.forEach((value, i) => {
    if (holes.some(({ argument }) => argument === i)) return;
    const field = `extra_${surplus++}`;
    if (isTaken(field, holes, args.length)) return;
    const read = reader.read(field, value);
    if (read === undefined) return;
    const known = names.indexOf(field);
    const at = known < 0 ? names.push(field) - 1 : known;
    values[at] = read;
  });
}

/** Whether a hole writes the field. */
function isTaken(field: string, holes: readonly Hole[], count: number): boolean {
  for (let i = 0; i < holes.length; i++) {
    const hole = holes[i]!;
    if (hole.field === field && hole.argument < count) return true;
  }
  return false;
}
