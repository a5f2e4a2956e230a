import { type Deadline, shownValue } from '@apix/contracts';
import { DEFAULT_DRAIN_DELAY, type DrainBegin } from '../drain-delay.js';
import { HostError } from '../errors.js';
import type { Notify } from '../observer.js';
import type { HostPhase, ServiceStatus } from '../state/transitions.js';
import { Supervisor } from '../supervision/supervisor.js';
import type { SupervisorContext } from '../supervision/supervisor-context.js';
import type { HostPlan } from './host-plan.js';
import type { StartOrder } from './start-order.js';

/** The options of a shutdown. */
export interface ShutdownRequest {
  /** Such as `SIGTERM`. */
  readonly reason: string;
  /** The text for the log, if an error has been logged already. Default: `reason`. */
  readonly shown?: string;
  /** Why drain delays are skipped; undefined: they are not. */
  readonly withoutDelay?: string | undefined;
}

/** The services of a run: started in their order, and stopped in reverse. */
export class HostServices {
  readonly #plan: HostPlan;
  readonly #supervisors: readonly Supervisor[];
  /** For each index those that wait for it: the order of the stop. */
  readonly #dependents: StartOrder;

  constructor(
    plan: HostPlan,
    notify: Notify,
    host: Pick<SupervisorContext, 'isStopping' | 'onFailed'>,
  ) {
    this.#plan = plan;
    this.#supervisors = plan.services.map(
      ({ service, restart, completes, tier, stopTimeoutMs }) =>
        new Supervisor(service, restart, {
          clock: plan.clock,
          random: plan.random,
          scopes: tier === 'transport' ? [] : plan.scopes,
          tier,
          notify,
          given: { log: plan.logger },
          stopTimeoutMs,
          completes,
          ...host,
        }),
    );
    const dependents: number[][] = plan.order.map(() => []);
    for (const [index, waits] of plan.order.entries()) {
      for (const before of waits) dependents[before]!.push(index);
    }
    this.#dependents = dependents;
  }

  /** In the order in which they start. */
  get statuses(): readonly ServiceStatus[] {
    return this.#supervisors.map(({ status }) => status);
  }

  /** Name and state of each that something has to wait for. */
  get unsettled(): readonly string[] {
    return this.#supervisors
      .filter(({ isSettled }) => !isSettled)
      .map(({ status: { name, state } }) => `${name} (${state})`);
  }

  /** Launches each service once all before it are ready. Resolves when all are. */
  launch(isCancelled: () => boolean): Promise<void> {
    return visitInOrder(this.#plan.order, this.#dependents, async (index) => {
      const supervisor = this.#supervisors[index];
      if (supervisor === undefined || isCancelled()) return;
      supervisor.launch();
      await supervisor.firstReady;
    });
  }

  /** Stops each service once all that start after it have stopped. Every error is reported at once. */
  stop(deadline: Deadline, onError: (error: Error) => void): Promise<void> {
    return visitInOrder(this.#dependents, this.#plan.order, async (index) => {
      for (const error of (await this.#supervisors[index]?.stop(deadline)) ?? []) onError(error);
    });
  }

  /** Begins the drain of everything, and logs that the host stops and for how long it keeps serving. */
  beginDrain({ reason, shown = reason, withoutDelay }: ShutdownRequest): void {
    const { logger, shutdownTimeoutMs, noDefaultDelay, drain } = this.#plan;
    const how: DrainBegin = {
      defaultDelayMs: drain.delay ?? (noDefaultDelay === undefined ? DEFAULT_DRAIN_DELAY : 0),
      skipsDelay: withoutDelay !== undefined,
      given: drain,
    };
    const delays = this.#supervisors
      .map((supervisor) => supervisor.beginDrain(how))
      .filter((delay) => delay !== null);
    // No delay takes more than half of the available time.
    const delayMs = Math.min(Math.max(0, ...delays), shutdownTimeoutMs / 2);
    const why = withoutDelay ?? noDefaultDelay;
    const stopping = (more = '', ...told: unknown[]): void =>
      logger.information(`Host is {Phase}: {Reason}${more}`, 'stopping', shown, ...told);
    if (delayMs > 0) {
      stopping(
        '; it keeps serving for {DrainDelayMs} ms, so that load balancers can remove it',
        delayMs,
      );
    } else if (delays.length > 0 && why !== undefined) {
      stopping('; without a drain delay: {Why}', why);
    } else stopping();
  }

  /** As Host.restartService. */
  async restart(name: string, phase: HostPhase): Promise<void> {
    if (phase !== 'running') throw refused(`the host is ${phase}; it must be running`);
    const supervisor = this.#supervisors.find(({ status }) => status.name === name);
    if (supervisor === undefined) {
      const names = this.statuses.map((status) => status.name).join(', ');
      throw refused(`there is no service ${shownValue(name)}; use one of ${names}`);
    }
    // Why: docs/decisions/0562
    if (supervisor.status.tier === 'transport') {
      throw refused(
        `service ${name} is a transport, which brings work into the app; restart the process`,
      );
    }
    await supervisor.restart(this.#plan.shutdownTimeoutMs);
  }
}

/** Visits each index, gates included, once the visits of all that it waits for are over. */
function visitInOrder(
  order: StartOrder,
  dependents: StartOrder,
  visit: (index: number) => Promise<void>,
): Promise<void> {
  const left = order.map((waits) => waits.length);
  return new Promise((resolve, reject) => {
    let open = order.length;
    const begin = (index: number): void => void visit(index).then(() => end(index), reject);
    const end = (index: number): void => {
      open -= 1;
      if (open === 0) resolve();
      for (const dependent of dependents[index]!) {
        left[dependent]! -= 1;
        if (left[dependent] === 0) begin(dependent);
      }
    };
    if (open === 0) resolve();
    for (const [index, waits] of order.entries()) if (waits.length === 0) begin(index);
  });
}

function refused(why: string): HostError {
  return new HostError(`hostx: restartService: ${why}`);
}
