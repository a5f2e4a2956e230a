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

/**
 * The text of anything that was thrown, for a message or a log line: the message of an error, or
 * its code or name where it has none (Node gives an error of several tried addresses a code
 * only); anything else as a string. Never throws, whatever the value is, and is never empty.
 */
export function thrownText(thrown: unknown): string {
  try {
    return textOf(thrown) || NO_TEXT;
  } catch {
    return NO_TEXT;
  }
}

/**
 * Anything that was thrown as an error that can be read: itself, or else a new one with its text.
 * For code that hands errors to what reads their message, name and stack without care.
 */
export function thrownError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && isReadable(thrown)) return thrown;
  } catch {
    // Then it is not readable either.
  }
  return new Error(thrownText(thrown));
}

function isReadable({ message, name, stack }: Error): boolean {
  const texts: readonly unknown[] = [message, name, stack ?? ''];
  return texts.every((text) => typeof text === 'string');
}

const NO_TEXT = 'a value that cannot be converted to text was thrown';

function textOf(thrown: unknown): string {
  if (typeof thrown === 'function') return NO_TEXT;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, code, name } = thrown as Readonly<Record<string, unknown>>;
  if (typeof message === 'string' && message !== '') return message;
  if (typeof code === 'string' && code !== '') return code;
  if (thrown instanceof Error && typeof name === 'string') return name;
  // The default text of an object, which has no information.
  const text = (thrown as { toString(): string }).toString();
  return text === '[object Object]' ? NO_TEXT : text;
}
