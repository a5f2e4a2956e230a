import { textOfThrown } from '../value/safely.js';

/** Tells the error handler of failures: never the caller, and never the logger again. */
export class ErrorReporter {
  #reporting = false;

  constructor(private readonly handler: ((error: Error) => void) | undefined) {}

  /** A handler that logs, and so makes a sink fail again, is not told of that. */
  report(error: Error): void {
    if (this.handler === undefined || this.#reporting) return;
    this.#reporting = true;
    try {
      this.handler(error);
    } catch {
      // There is nobody left to tell.
    } finally {
      this.#reporting = false;
    }
  }

  /** Reports what happened and why, and returns it as an error. */
  failed(what: string, cause: unknown): Error {
    const error = new Error(`logx: ${what}: ${textOfThrown(cause)}`, { cause });
    this.report(error);
    return error;
  }
}
