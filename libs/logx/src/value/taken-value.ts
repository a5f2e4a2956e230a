import { bareObject } from './bare-object.js';
import { type FieldValue, isBytes } from './field-value.js';
import type { Shape } from './shape.js';

/** A copied value whose objects are converted to field values only when they are needed. */
export type TakenValue = FieldValue | TakenMembers | readonly TakenValue[];

/** The copied members of an object: a value for each name; names are unique. */
// Why: docs/decisions/0304
export class TakenMembers {
  #object: FieldValue | undefined;

  constructor(
    /** In the order of object keys, integers first. */
    readonly names: readonly string[],
    readonly values: readonly TakenValue[],
    /** The shape with these names; undefined if it is new, or if there are too many names. */
    readonly shape?: Shape,
  ) {}

  /** The members as an object that inherits nothing. */
  get object(): FieldValue {
    if (this.#object !== undefined) return this.#object;
    const object = bareObject<FieldValue>();
    for (let i = 0; i < this.names.length; i++) {
      object[this.names[i]!] = fieldValue(this.values[i]!);
    }
    return (this.#object = object);
  }
}

/** Converts a copied value to a field value. Objects other than TakenMembers contain no TakenMembers. */
export function fieldValue(value: TakenValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TakenMembers) return value.object;
  return isList(value) && value.some(isShort) ? value.map(fieldValue) : (value as FieldValue);
}

/** Whether the value is an object or an array, but not bytes. */
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
