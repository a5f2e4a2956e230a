import type { FieldValue } from '../value/field-value.js';

/** Makes the text of a value for the message; undefined where the format does not suit it. */
export type ValueFormat = (value: FieldValue) => string | undefined;

/** The format that a specifier stands for; undefined for one that nobody knows. */
export function valueFormat(_specifier: string): ValueFormat | undefined {
  return undefined;
}
