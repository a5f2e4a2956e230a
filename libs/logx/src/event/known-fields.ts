/**
 * What a field is: a whole number, milliseconds with up to three decimals, a text, or one of a few words, which
 * no limit of texts concerns.
 */
type KnownFieldKind = 'count' | 'ms' | 'text' | 'word';

/** The template and the fields of a kind of event, for which formats prepare the parts of its line. */
export interface EventShape {
  readonly template: string;
  /** The holes of the template, which ends with the last of them. */
  readonly holes: readonly (readonly [name: string, type: 'number' | 'string'])[];
  /** The fields in addition to those of the template, in their order. */
  readonly fields: readonly (readonly [name: string, kind: KnownFieldKind])[];
}

export type KnownValue = string | number | undefined;

/** The fields of an event of a known shape, as members; one that is undefined is not there. */
export abstract class KnownFields {
  readonly [name: string]: unknown;

  abstract get shape(): EventShape;

  /** The values of the members, in the order of the shape: a list is read faster than members by name. */
  abstract get values(): readonly KnownValue[];
}

/** The upper bound of the length of all texts together, in characters. */
export function textLengthOf({ fields }: EventShape, values: readonly KnownValue[]): number {
  let length = 0;
  for (let i = 0; i < fields.length; i++) {
    const value = values[i];
    if (typeof value === 'string' && fields[i]![1] === 'text') length += value.length;
  }
  return length;
}
