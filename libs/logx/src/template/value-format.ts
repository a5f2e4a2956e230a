import type { FieldValue } from '../value/field-value.js';

/** Creates the text of a value for the message; undefined if the format does not apply to it. */
export type ValueFormat = (value: FieldValue) => string | undefined;
