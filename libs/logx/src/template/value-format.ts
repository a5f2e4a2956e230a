import type { FieldValue } from '../value/field-value.js';

/** Makes the text of a value for the message; undefined where the format does not suit it. */
export type ValueFormat = (value: FieldValue) => string | undefined;
