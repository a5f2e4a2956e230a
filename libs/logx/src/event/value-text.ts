import type { Hole } from '../template/template.js';
import { base64Of, jsonOf } from '../value/json-text.js';
import { type FieldValue, isBytes } from '../value/field-value.js';

/** The value as it stands in the message: formatted, then aligned. */
export function valueText(value: FieldValue, hole: Hole): string {
  const { format, alignment } = hole;
  const text = format?.(value) ?? plainText(value);
  if (alignment === 0) return text;
  return alignment > 0 ? text.padStart(alignment) : text.padEnd(-alignment);
}

/** Texts as they are, bytes as base64, other objects as JSON. */
export function plainText(value: FieldValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return isBytes(value) ? base64Of(value) : jsonOf(value);
}
