import { thrownText } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';

/** Characters of the reason why a value cannot be read. */
const MAX_REASON = 200;

/** The result of `read`, or, if it throws, that of `otherwise` for the error. */
export function safely<T, U>(read: () => T, otherwise: (thrown: unknown) => U): T | U {
  try {
    return read();
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** `String(value)`, or a note for a value whose `toString` throws. */
export function safeText(value: unknown): string {
  return typeof value === 'string' ? value : safely(() => String(value), unreadable);
}

/** The text shown instead of a value that throws when it is read. */
export function unreadable(thrown: unknown): string {
  return `[Unreadable: ${cutText(thrownText(thrown), MAX_REASON)}]`;
}
