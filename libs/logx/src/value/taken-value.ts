import { bareObject } from './bare-object.js';
import { type FieldValue, isBytes } from './field-value.js';
import type { Shape } from './shape.js';

/** A value as it was read: objects in short, which is made a field's value where it is asked for. */
export type TakenValue = FieldValue | TakenMembers | readonly TakenValue[];

/** The members of an object as they were read: a value for each name, which are all different. */
// Why: docs/decisions/0365
export class TakenMembers {
  #object: FieldValue | undefined;

  constructor(
    /** In the order that objects have, numbers first. */
    readonly names: readonly string[],
    readonly values: readonly TakenValue[],
    /** That of the names; undefined for one that comes for the first time, or has too many. */
    readonly shape?: Shape,
  ) {}

  /** The same as an object that inherits nothing. */
  get object(): FieldValue {
    if (this.#object !== undefined) return this.#object;
    const object = bareObject<FieldValue>();
    for (let i = 0; i < this.names.length; i++) {
      object[this.names[i]!] = fieldValue(this.values[i]!);
    }
    return (this.#object = object);
  }
}

/** What was read as the value of a field. Objects that are none of ours have none of ours in them. */
export function fieldValue(value: TakenValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TakenMembers) return value.object;
  return isList(value) && value.some(isShort) ? value.map(fieldValue) : (value as FieldValue);
}

/** Whether it has values in it. */
export function isNested(
  value: TakenValue,
): value is TakenMembers | readonly TakenValue[] | { readonly [name: string]: FieldValue } {
  return typeof value === 'object' && value !== null && !isBytes(value as FieldValue);
}

export function isList(value: TakenValue): value is readonly TakenValue[] {
  return Array.isArray(value);
}

function isShort(value: TakenValue): boolean {
  return value instanceof TakenMembers || (isList(value) && value.some(isShort));
}
