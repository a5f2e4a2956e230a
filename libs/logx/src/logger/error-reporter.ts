import { thrownText } from '@apix/contracts';

/** Reports failures to the error handler: never to the caller, and never through the logger. */
export class ErrorReporter {
  #reporting = false;

  constructor(private readonly handler: ((error: Error) => void) | undefined) {}

  /** A handler that logs, and so makes a sink fail again, is not called for that. */
  report(error: Error): void {
    if (this.handler === undefined || this.#reporting) return;
    this.#reporting = true;
    try {
      this.handler(error);
    } catch {
      // There is nothing left to report to.
    } finally {
      this.#reporting = false;
    }
  }

  /** Reports what happened and why, and returns it as an error. */
  failed(what: string, cause: unknown): Error {
    const error = new Error(`logx: ${what}: ${thrownText(cause)}`, { cause });
    this.report(error);
    return error;
  }
}
