const sentAsIs = new WeakSet<object>();

/**
 * Exempts a message, a request or an answer, from the option `compression`: for content that is compressed
 * already, and for secrets next to data chosen by others, because the compressed length would reveal them
 * (as with BREACH). It marks the object: a copy of it has no mark.
 *
 * @returns the same message.
 */
// Why: docs/decisions/0275
export function uncompressed<T extends object>(message: T): T {
  sentAsIs.add(message);
  return message;
}

/** Whether a message was marked by {@link uncompressed}. */
export function isSentAsIs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && sentAsIs.has(message);
}
