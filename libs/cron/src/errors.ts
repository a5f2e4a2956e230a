import { mistakesText } from '@apix/contracts/internal';

/** A mistake in how jobs are described, or in their use; the message names the job. */
export class CronError extends Error {
  override readonly name = 'CronError';
  /** The mistakes in the description, each as `option: what is wrong`; else empty. */
  readonly mistakes: readonly string[];

  constructor(message: string, options: CronErrorOptions = {}) {
    super(message, options);
    this.mistakes = options.mistakes ?? [];
  }
}

export interface CronErrorOptions extends ErrorOptions {
  /** Default: none. */
  readonly mistakes?: readonly string[];
}

/** All mistakes about `subject`, such as `cron: job sweep`, as one error. */
export function cronErrorOf(subject: string): (mistakes: readonly string[]) => CronError {
  return (mistakes) => new CronError(mistakesText(subject, mistakes), { mistakes });
}
