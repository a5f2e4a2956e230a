import { thrownText } from '@apix/contracts';

/**
 * A failure of the host or of something it runs; the message names the culprit and `cause` is
 * what was thrown. Recognise it by `name`: two copies of the package may be installed.
 */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/**
 * `hostx: <culprit>: <message>`, with the error as cause. A message that names the culprit
 * already, as `hostx: http service web: …` does, is not made to do it twice.
 */
export function culprit(who: string, error: unknown): HostError {
  const message = thrownText(error).replace(/^hostx: /, '');
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
