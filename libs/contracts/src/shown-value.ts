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

/**
 * Text of a caller for an error message, in at most `limit` UTF-16 units; a longer text is cut and ends in
 * `…`. It is never cut inside a surrogate pair, which would make the text ill-formed.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const isInsidePair = end > 0 && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isInsidePair ? end - 1 : end)}…`;
}
