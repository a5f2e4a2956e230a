import { HostError, joinErrors } from '../errors.js';
import type { HostLogger } from '../log/host-logger.js';

/** A timer that throws each time must not fill the memory while the rest stops. */
const MAX_ERRORS = 100;

/** What went wrong in a run, each logged when it happens. */
export class Failures {
  readonly #logger: HostLogger;
  readonly #errors: Error[] = [];
  /** Whether foreign code is still running that was told to stop. */
  hasAbandoned = false;

  constructor(logger: HostLogger) {
    this.#logger = logger;
  }

  /** What the run rejects with; null where nothing went wrong. */
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
