/** What `read` returns, or what `otherwise` makes of what it throws. */
export function safely<T, U>(read: () => T, otherwise: (thrown: unknown) => U): T | U {
  try {
    return read();
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** Whether something thrown is an Error; one that cannot be looked at, as a revoked proxy, is not. */
export function isReadableError(thrown: unknown): thrown is Error {
  return safely(
    () => thrown instanceof Error,
    () => false,
  );
}

/** A short text for something thrown, which may itself throw when it is looked at. */
export function textOfThrown(thrown: unknown): string {
  return safely(
    () => {
      const message = (thrown as { message?: unknown } | null | undefined)?.message;
      return String(typeof message === 'string' ? message : thrown).slice(0, 200);
    },
    () => 'an error that cannot be read',
  );
}

/** `String(value)`, or a note for a value whose `toString` throws. */
export function safeText(value: unknown): string {
  return safely(() => String(value), unreadable);
}

/** What is shown in the place of a value that throws when it is read. */
export function unreadable(thrown: unknown): string {
  return `[Unreadable: ${textOfThrown(thrown)}]`;
}
