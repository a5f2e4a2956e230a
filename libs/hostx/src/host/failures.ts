import { HostError, joinErrors } from '../errors.js';
import type { HostLogger } from '../log/host-logger.js';

/** A timer that throws each time must not fill the memory while the rest stops. */
const MAX_ERRORS = 100;

/** The failures of a run, each logged when it happens. */
export class Failures {
  readonly #logger: HostLogger;
  readonly #errors: Error[] = [];
  /** Whether code that was asked to stop is still running. */
  hasAbandoned = false;

  constructor(logger: HostLogger) {
    this.#logger = logger;
  }

  /** The error with which the run rejects; null if nothing failed. */
  get joined(): Error | null {
    return joinErrors(this.#errors);
  }

  readonly add = (error: Error): void => {
    this.#logger.error(error, 'Host failed');
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  };

  addAbandoned(who: string): void {
    this.hasAbandoned = true;
    this.add(new HostError(`hostx: ${who}: did not finish in time; abandoned`));
  }
}
