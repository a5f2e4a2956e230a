/**
 * What a field is: a whole number, milliseconds with up to three decimals, a text, or one of a few words, which
 * no limit of texts concerns.
 */
type KnownFieldKind = 'count' | 'ms' | 'text' | 'word';

/** The template and the fields of a kind of event, for which formats prepare the parts of its line. */
export interface EventShape {
  readonly template: string;
  /** The holes of the template, which ends with the last of them. */
  readonly holes: readonly (readonly [name: string, kind: 'count' | 'text'])[];
  /** The fields in addition to those of the template, in their order. */
  readonly fields: readonly (readonly [name: string, kind: KnownFieldKind])[];
}

/** The fields of an event of a known shape, as members; one that is undefined is not there. */
export abstract class KnownFields {
  readonly [name: string]: unknown;

  abstract get shape(): EventShape;
}

/** The upper bound of the length of all texts together, in characters. */
export function textLengthOf(fields: KnownFields): number {
  let length = 0;
  for (const [name, kind] of fields.shape.fields) {
    const value = kind === 'text' ? fields[name] : undefined;
    if (typeof value === 'string') length += value.length;
  }
  return length;
}
