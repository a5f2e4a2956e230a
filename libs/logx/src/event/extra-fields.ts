import type { FieldValue } from '../value/field-value.js';
import { fieldValue, type TakenValue } from '../value/taken-value.js';

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
