import { cutText } from './cut-text.js';

const LIMIT = 80;

/**
 * A value as an error message shows it: texts in quotes and cut, numbers and the like as they
 * are, anything else by its kind, since its content may be long or secret. Never throws.
 */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value, LIMIT));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
