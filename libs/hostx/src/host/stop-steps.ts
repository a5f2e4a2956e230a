import type { Deadline } from '@apix/contracts';
import { culprit } from '../errors.js';
import { byDeadline, outcomeOf } from '../outcome.js';
import type { Failures } from './failures.js';
import type { Step } from './host-plan.js';
import type { UnderWay } from './under-way.js';

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
      else if (!outcome.ok) this.#failures.add(culprit(who, outcome.error));
    }
  }
}
