import { thrownText } from '@apix/contracts';

/** Reports failures to the error handler: never to the caller, and never through the logger. */
export class ErrorReporter {
  #reporting = false;

  constructor(private readonly handler: ((error: Error) => void) | undefined) {}

  /** Whether nobody is called. */
  get isSilent(): boolean {
    return this.handler === undefined;
  }

  /** If the handler itself logs, and so makes a sink fail again, it is not called for that failure. */
  report(error: Error): void {
    if (this.handler === undefined || this.#reporting) return;
    this.#reporting = true;
    try {
      this.handler(error);
    } catch {
      // There is nowhere left to report this error.
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
