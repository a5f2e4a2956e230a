import type { Deadline } from '@apix/contracts';
import { HostError, errorIn, joinErrors } from '../errors.js';
import type { HostLogger } from '../log/host-logger.js';
import { byDeadline, outcomeOf } from '../outcome.js';
import type { Step } from './host-plan.js';
import type { UnderWay } from './under-way.js';

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

/** Runs what happens at a stop besides services: one step after the other, whatever fails. */
export class StopSteps {
  readonly #failures: Failures;
  readonly #underWay: UnderWay;

  constructor(failures: Failures, underWay: UnderWay) {
    this.#failures = failures;
    this.#underWay = underWay;
  }

  /**
   * @param kind the prefix of each step's name in messages
   * @param deadline the deadline passed to the steps
   * @param limit the time until which each is awaited; then it is abandoned
   */
  async run(
    kind: string,
    steps: readonly Step<Deadline>[],
    deadline: Deadline,
    limit: Deadline,
  ): Promise<void> {
    for (const step of steps) {
      const who = `${kind}${step.name}`;
      const work = outcomeOf(() => step.run(deadline));
      this.#underWay.begin(who);
      const outcome = await byDeadline(work, limit);
      this.#underWay.end(who);
      if (outcome === null) this.#failures.addAbandoned(who);
      else if (!outcome.ok) this.#failures.add(errorIn(who, outcome.error));
    }
  }
}
