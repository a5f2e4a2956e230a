const sentAsIs = new WeakSet<object>();

/**
 * Has a message, a request or an answer, be sent as it is where the option `compression` would have it
 * compressed: for what is compressed already, and for secrets next to what a stranger chooses, whose
 * length would tell about them (as with BREACH). It marks the object: a copy of it has no mark.
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
