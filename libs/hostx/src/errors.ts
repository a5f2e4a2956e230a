import { thrownText } from '@apix/contracts';
import { mistakesText, thrownError } from '@apix/contracts/internal';

/**
 * A failure of the host or of something it runs; the message names the culprit and `cause` is the original
 * error. Recognise it by `name`: two copies of the package may be installed.
 */
export class HostError extends Error {
  override readonly name = 'HostError';
  /** The mistakes in options, each as `option: what is wrong`; empty for other failures. */
  readonly mistakes: readonly string[];

  constructor(message: string, options: HostErrorOptions = {}) {
    super(message, options);
    this.mistakes = options.mistakes ?? [];
    // Not enumerable: otherwise loggers and consoles would print it with each failure that has no mistakes.
    if (this.mistakes.length === 0) Object.defineProperty(this, 'mistakes', { enumerable: false });
  }
}

const final = new WeakSet<object>();

/** A failure of a service that would repeat itself: the host stops, and no policy restarts the service. */
export function finalFailure(message: string): HostError {
  const error = new HostError(message);
  final.add(error);
  return error;
}

/** Whether it is one; looks at nothing of what was thrown, which may throw itself. */
export function isFinalFailure(thrown: unknown): boolean {
  return final.has(thrown as object);
}

export interface HostErrorOptions extends ErrorOptions {
  /** Default: none. */
  readonly mistakes?: readonly string[];
}

/** All mistakes about `subject`, such as `http service web`, as one error. */
export function mistakesIn(subject: string): (mistakes: readonly string[]) => HostError {
  return (mistakes) => new HostError(mistakesText(`hostx: ${subject}`, mistakes), { mistakes });
}

/**
 * `hostx: <culprit>: <message>`, with the error as cause. A message that names the culprit
 * already, as `hostx: http service web: …` does, is not made to do it twice.
 */
export function errorIn(who: string, error: unknown): HostError {
  const message = thrownText(error).replace(/^hostx: /, '');
  const at = message.indexOf(`${who}: `);
  const namesItself = at === 0 || (at > 0 && message.indexOf(' ') === at - 1);
  const text = `hostx: ${namesItself ? message : `${who}: ${message}`}`;
  // Already a HostError: as its own cause it would be reported twice.
  const readable = thrownError(error);
  if (readable === error && readable instanceof HostError && readable.message === text) {
    return readable;
  }
  return wrapping(text, error);
}

/** An error about another. The frames are those of the cause alone: our own lead nowhere. */
export function wrapping(message: string, cause: unknown): HostError {
  const error = new HostError(message, { cause });
  if (thrownError(cause) === cause) error.stack = `${error.name}: ${message}`;
  return error;
}

/** One error as it is; several as an AggregateError whose message contains all of theirs. */
export function joinErrors(errors: readonly Error[]): Error | null {
  if (errors.length <= 1) return errors[0] ?? null;
  return new AggregateError(errors, errors.map((error) => error.message).join('; '));
}
