import {
  type Clock,
  type Deadline,
  type WorkScope,
  deadlineAfter,
  isAbortOf,
} from '@apix/contracts';
import { runInScopes } from '@apix/contracts/internal';
import type { DrainBegin } from '../drain-delay.js';
import { HostError, errorIn, isFinalFailure, wrapping } from '../errors.js';
import type { Notify } from '../observer.js';
import { type Outcome, byDeadline, outcomeOf, turn } from '../outcome.js';
import type { Service, ServiceContext } from '../service.js';
import {
  SERVICE_TRANSITIONS,
  type ServiceEvent,
  type ServiceState,
  type ServiceStatus,
  transition,
} from '../state/transitions.js';
import { RestartCounter } from './restart-policy.js';
import type { ResolvedRestartPolicy } from './restart-policy.js';

export interface SupervisorContext {
  readonly clock: Clock;
  /** Chance, from 0 up to 1, for the jitter. */
  readonly random: () => number;
  readonly notify: Notify;
  readonly scopes: readonly WorkScope[];
  /** The argument of the service at each start. */
  readonly given: ServiceContext;
  /** Caps the stop. Infinity: its deadline alone. */
  readonly stopTimeoutMs: number;
  /** Whether returning from `start` without an error is the end of its work, not a failure. */
  readonly completes: boolean;
  /** Whether the host shuts down, so that a service may end before its turn to be stopped. */
  readonly isStopping: () => boolean;
  /** Called once, when the service is not restarted any more. */
  readonly onFailed: (error: Error) => void;
}

interface Run {
  readonly controller: AbortController;
  readonly startedAt: number;
  readonly ended: Promise<Outcome>;
  /** Why `ready` rejected; the run ends for this reason, whatever `start` says. */
  unready?: unknown;
}

/** Keeps one service running until asked to stop. Its methods never throw because of foreign code. */
export class Supervisor {
  /** Resolves when the service is ready for the first time, or has completed. */
  readonly firstReady: Promise<void>;
  readonly #service: Service;
  readonly #context: SupervisorContext;
  readonly #counter: RestartCounter | null;
  #state: ServiceState = 'waiting';
  #since: number;
  #lastError: Error | undefined;
  #run: Run | null = null;
  #cancelTimer = (): void => {};
  #resolveFirstReady = (): void => {};

  constructor(service: Service, policy: ResolvedRestartPolicy | null, context: SupervisorContext) {
    this.#service = service;
    this.#context = context;
    this.#counter = policy && new RestartCounter(policy, context.clock, context.random);
    this.#since = context.clock.now();
    this.firstReady = new Promise((resolve) => (this.#resolveFirstReady = resolve));
  }

  get status(): ServiceStatus {
    return {
      name: this.#service.name,
      state: this.#state,
      since: this.#since,
      attempt: this.#attempt,
      restarts: this.#counter?.total ?? 0,
      lastError: this.#lastError,
    };
  }

  /** Whether nothing has to wait for it: it is ready, or has ended. */
  get isSettled(): boolean {
    return this.#context.isStopping()
      ? this.#state === 'stopped' || this.#state === 'abandoned'
      : this.#state === 'ready' || this.#state === 'completed';
  }

  /** Starts the service for the first time. */
  launch(): void {
    this.#begin('launch');
  }

  /**
   * Lets a running service send its callers elsewhere; its errors are ignored.
   *
   * @returns for how long it keeps serving, in milliseconds; null if it does not say.
   */
  beginDrain(how: DrainBegin): number | null {
    let said: unknown;
    if (this.#run !== null) void outcomeOf(() => (said = this.#service.beginDrain?.(how)));
    return typeof said === 'number' ? said : null;
  }

  /**
   * Aborts the run, calls `stop` and waits for both, but not beyond the deadline. A service that
   * was never launched is skipped. Resolves with what went wrong, and never rejects.
   */
  async stop(shutdown: Deadline): Promise<readonly Error[]> {
    if (this.#state === 'waiting') {
      this.#move('skip');
      return [];
    }
    const { stopTimeoutMs } = this.#context;
    if (stopTimeoutMs >= shutdown.remainingMs()) return this.#stop(shutdown);
    const deadline = deadlineAfter(stopTimeoutMs, this.#context.clock);
    const errors = await this.#stop(deadline);
    deadline.dispose();
    return errors;
  }

  get #attempt(): number {
    return this.#counter?.attempt ?? 0;
  }

  async #stop(deadline: Deadline): Promise<readonly Error[]> {
    const { clock, notify } = this.#context;
    const service = this.#service.name;
    const begun = clock.now();
    const hadTime = deadline.remainingMs() > 0;
    this.#cancelTimer();
    this.#move('stop');
    notify('serviceStopping', { service });

    const run = this.#run;
    run?.controller.abort();
    const stopped = outcomeOf(() => this.#scoped(() => this.#service.stop?.(deadline)));
    const both = await Promise.all([
      run && byDeadline(run.ended, deadline),
      byDeadline(stopped, deadline),
    ]);
    const errors = this.#stopErrors(run, both[0], both[1]);
    const durationMs = clock.now() - begun;
    if (both[1] === null || (run !== null && both[0] === null)) {
      errors.push(
        new HostError(
          hadTime
            ? `hostx: service ${service}: did not stop within ${durationMs} ms; abandoned`
            : `hostx: service ${service}: had no time left to stop, because others had used it up; abandoned`,
        ),
      );
      this.#move('abandon');
      notify('serviceAbandoned', { service, afterMs: durationMs });
    } else {
      this.#move('stopped');
      notify('serviceStopped', { service, durationMs, error: errors[0] });
    }
    if (errors.length > 0) this.#lastError = errors[0];
    return errors;
  }

  #move(event: ServiceEvent): void {
    this.#state = transition(SERVICE_TRANSITIONS, this.#state, event);
    this.#since = this.#context.clock.now();
  }

  #scoped<T>(work: () => T): T {
    return runInScopes(this.#context.scopes, 'service', this.#service.name, work);
  }

  #begin(event: 'launch' | 'relaunch'): void {
    const { clock, notify } = this.#context;
    const told = { service: this.#service.name, attempt: this.#attempt };
    this.#move(event);
    notify('serviceStarting', told);
    const controller = new AbortController();
    const ended = outcomeOf(() =>
      this.#scoped(() => this.#service.start(controller.signal, this.#context.given)),
    );
    const run: Run = { controller, startedAt: clock.now(), ended };
    this.#run = run;
    notify('serviceStarted', told);
    void ended.then((outcome) => this.#ended(run, outcome));
    void this.#awaitReady(run);
  }

  async #awaitReady(run: Run): Promise<void> {
    const outcome = await outcomeOf(() => this.#service.ready?.());
    // A start that fails at once has not been ready for a moment.
    await turn();
    if (this.#run !== run || this.#state !== 'starting') return;
    if (!outcome.ok) return this.#notReady(run, outcome.error);
    this.#move('ready');
    this.#context.notify('serviceReady', {
      service: this.#service.name,
      attempt: this.#attempt,
      durationMs: this.#context.clock.now() - run.startedAt,
    });
    if (this.#counter !== null) this.#cancelTimer = this.#counter.awaitStable();
    this.#resolveFirstReady();
  }

  #notReady(run: Run, error: unknown): void {
    run.unready = error;
    this.#lastError = errorIn(`service ${this.#service.name}: not ready`, error);
    run.controller.abort(error);
    // A restart has to wait until this run has ended; giving up has not.
    if (this.#counter === null) this.#failed(this.#lastError);
  }

  #ended(run: Run, outcome: Outcome): void {
    if (this.#run !== run || (this.#state !== 'starting' && this.#state !== 'ready')) return;
    if (outcome.ok && !('unready' in run) && this.#context.isStopping()) return;
    this.#run = null;
    this.#cancelTimer();
    if (outcome.ok && !('unready' in run) && this.#context.completes) return this.#completed(run);
    const thrown = 'unready' in run ? run.unready : outcome.ok ? undefined : outcome.error;
    this.#failed(this.#prematureEnd(run, outcome), isFinalFailure(thrown));
  }

  #completed(run: Run): void {
    const { clock, notify } = this.#context;
    this.#move('complete');
    const durationMs = clock.now() - run.startedAt;
    notify('serviceCompleted', { service: this.#service.name, durationMs });
    this.#resolveFirstReady();
  }

  #failed(error: Error, isFinal = false): void {
    this.#lastError = error;
    const { clock, notify, onFailed } = this.#context;
    const service = this.#service.name;
    const verdict = (isFinal ? null : this.#counter?.next()) ?? { restart: false, why: null };
    if (verdict.restart) {
      const { delayMs } = verdict;
      this.#move('retry');
      notify('serviceRestarting', { service, attempt: this.#attempt, delayMs, error });
      this.#cancelTimer = clock.after(delayMs, () => this.#begin('relaunch'));
      return;
    }
    const last = verdict.why === null ? error : this.#gaveUp(verdict.why, error);
    this.#lastError = last;
    this.#move('giveUp');
    notify('serviceFailed', { service, error: last });
    onFailed(last);
  }

  #gaveUp(why: string, error: Error): Error {
    const who = `service ${this.#service.name}: `;
    return wrapping(error.message.replace(who, `${who}${why}: `), error);
  }

  #prematureEnd(run: Run, outcome: Outcome): Error {
    const who = `service ${this.#service.name}`;
    if ('unready' in run) return errorIn(`${who}: not ready`, run.unready);
    if (!outcome.ok) return errorIn(who, outcome.error);
    return new HostError(`hostx: ${who}: ended before shutdown without an error`);
  }

  #stopErrors(run: Run | null, ended: Outcome | null, stopped: Outcome | null): Error[] {
    const who = `service ${this.#service.name}`;
    const errors: Error[] = [];
    if (run !== null && ended?.ok === false && !isAbortOf(run.controller.signal, ended.error)) {
      errors.push(errorIn(who, ended.error));
    }
    if (stopped?.ok === false) errors.push(errorIn(`${who}: stop`, stopped.error));
    return errors;
  }
}
