import type { Deadline } from '@apix/contracts';
import { HostError, errorIn, firstFew, joinErrors } from '../errors.js';
import { type Outcome, byDeadline, outcomeOf } from '../outcome.js';
import type { HostPlan, Step } from './host-plan.js';
import type { HostServices } from './services.js';

/** A timer that throws each time must not fill the memory while the rest stops. */
const MAX_ERRORS = 100;

/** When the host first reports what it waits for, in milliseconds; the interval doubles each time. */
const FIRST_MS = 10_000;

/** The tasks and hooks of a run: which are under way, and what has failed. */
export class Steps {
  readonly #plan: HostPlan;
  readonly #services: HostServices;
  readonly #underWay = new Map<string, Promise<Outcome>>();
  readonly #errors: Error[] = [];
  /** Whether code that was asked to stop is still running. */
  hasAbandoned = false;

  constructor(plan: HostPlan, services: HostServices) {
    this.#plan = plan;
    this.#services = services;
  }

  /** The error with which the run rejects; null if nothing failed. */
  get error(): Error | null {
    return joinErrors(this.#errors);
  }

  /** What the host waits for: tasks, hooks and services by name, the first few of them; empty if for nothing. */
  get waitingFor(): string {
    const services = this.#services.unsettled.map((service) => `service ${service}`);
    return firstFew([...this.#underWay.keys(), ...services]);
  }

  /** Logs what the host waits for until the returned function is called. */
  reportWhile(phase: 'starting' | 'stopping'): () => void {
    const { clock, logger } = this.#plan;
    const begun = clock.now();
    let cancel = (): void => {};
    const arm = (afterMs: number): void => {
      cancel = clock.after(afterMs, () => {
        logger.warning(
          'Host is still {Phase} after {ElapsedMs} ms and waits for {Waiting}',
          phase,
          clock.now() - begun,
          this.waitingFor,
        );
        arm(afterMs * 2);
      });
    };
    arm(FIRST_MS);
    return () => cancel();
  }

  /** Records a failure of the run, and logs it. */
  readonly fail = (error: Error): void => {
    this.#plan.logger.error(error, 'Host failed');
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  };

  begin(who: string, work: Promise<Outcome>): void {
    this.#underWay.set(who, work);
  }

  end(who: string): void {
    this.#underWay.delete(who);
  }

  /**
   * Runs what happens at a stop, one step after the other, whatever fails.
   *
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
      this.begin(who, work);
      await this.#finish(who, work, limit);
    }
  }

  /** Waits for the step of the start that is under way, if there is one; it is abandoned at the limit. */
  async finish(limit: Deadline): Promise<void> {
    for (const [who, work] of this.#underWay) await this.#finish(who, work, limit);
  }

  async #finish(who: string, work: Promise<Outcome>, limit: Deadline): Promise<void> {
    const outcome = await byDeadline(work, limit);
    this.end(who);
    if (outcome === null) {
      this.hasAbandoned = true;
      this.fail(new HostError(`hostx: ${who}: did not finish in time; abandoned`));
    } else if (!outcome.ok) this.fail(errorIn(who, outcome.error));
  }
}
