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
