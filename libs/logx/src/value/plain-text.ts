import { type FieldValue, isBytes } from './field-value.js';
import { base64Of, jsonOf } from './json-text.js';

/** Texts are unchanged, bytes become base64, other objects JSON. */
export function plainText(value: FieldValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return isBytes(value) ? base64Of(value) : jsonOf(value);
}
