/**
 * A failure of the host or of something it runs; the message names the culprit and `cause` is
 * what was thrown. Recognise it by `name`: two copies of the package may be installed.
 */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  try {
    return String(error);
  } catch {
    return 'something without a text was thrown';
  }
}

/**
 * `hostx: <culprit>: <message>`, with the error as cause. A message that names the culprit
 * already, as `hostx: http service web: …` does, is not made to do it twice.
 */
export function culprit(who: string, error: unknown): HostError {
  const message = messageOf(error).replace(/^hostx: /, '');
  const at = message.indexOf(`${who}: `);
  const namesItself = at === 0 || (at > 0 && message.indexOf(' ') === at - 1);
  return new HostError(`hostx: ${namesItself ? message : `${who}: ${message}`}`, { cause: error });
}

/** All the mistakes of a builder at once. */
export function buildError(mistakes: readonly string[]): HostError {
  return new HostError(`hostx: the host cannot be built: ${mistakes.join('; ')}`);
}

/** One error as it is; several as an AggregateError whose message has all of theirs. */
export function joinErrors(errors: readonly Error[]): Error | null {
  if (errors.length <= 1) return errors[0] ?? null;
  return new AggregateError(errors, errors.map((error) => error.message).join('; '));
}

/** Whether an error only says that the work was told to stop. */
export function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  if (error === signal.reason) return true;
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' ||
    (error.cause !== undefined && error.cause === (signal.reason as unknown))
  );
}
