import { AsyncResource } from 'node:async_hooks';
import { type Deadline, deadlineAfter } from '@apix/contracts';
import { runInScopes } from '@apix/contracts/internal';
import type { DrainBegin } from '../drain-delay.js';
import {
  HostError,
  abandoned,
  errorIn,
  gaveUpBecause,
  isFinalFailure,
  prematureEnd,
  stopErrors,
  stopsMeanwhile,
} from '../errors.js';
import { type Outcome, byDeadline, outcomeOf, turn } from '../outcome.js';
import { listeningAddress, type Service } from '../service.js';
import {
  SERVICE_TRANSITIONS,
  type ServiceEvent,
  type ServiceState,
  type ServiceStatus,
  transition,
} from '../state/transitions.js';
import { type ResolvedRestartPolicy, RestartCounter } from './restart-policy.js';
import type { SupervisorContext } from './supervisor-context.js';

interface Run {
  readonly controller: AbortController;
  readonly startedAt: number;
  readonly ended: Promise<Outcome>;
  /** What `ready` rejected with; the run ends for this reason, whatever `start` says. */
  unready?: { readonly thrown: unknown; readonly error: Error };
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
  #askedRestarts = 0;
  /** Who asked for a restart, and waits until the service is ready again. */
  #asker: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;
  /** The stop of a restart, which a shutdown that comes meanwhile takes over. */
  #askedStop: Promise<readonly Error[]> | null = null;
  /** A service that is restarted does not inherit the context of who asks for it, such as a request. */
  readonly #outside = new AsyncResource('apix.hostx.Service');
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
      askedRestarts: this.#askedRestarts,
      tier: this.#context.tier,
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
    if (this.#run !== null && this.#state !== 'stopping')
      void outcomeOf(() => (said = this.#service.beginDrain?.(how)));
    return typeof said === 'number' ? said : null;
  }

  /**
   * Aborts the run, calls `stop` and waits for both, but not beyond the deadline. A service that
   * was never launched is skipped. Resolves with what went wrong, and never rejects.
   */
  async stop(shutdown: Deadline): Promise<readonly Error[]> {
    // Its deadline began earlier and is no longer.
    if (this.#askedStop !== null) return this.#askedStop;
    if (this.#state === 'abandoned') return [];
    if (this.#state === 'waiting') {
      this.#move('skip');
      return [];
    }
    const { stopTimeoutMs } = this.#context;
    if (stopTimeoutMs >= shutdown.remainingMs()) return this.#stop(shutdown);
    return this.#stopWithin(stopTimeoutMs);
  }

  /**
   * Stops the service and starts it again; one in backoff is started at once. Resolves when it is ready, or has
   * completed. One that does not stop in time is abandoned and has failed.
   *
   * @param limitMs caps the stop, as its own timeout does.
   * @throws HostError, as a rejection, if it is neither ready nor in backoff, if it ends before it is ready, and
   *   if the host stops meanwhile.
   */
  // Why: docs/decisions/0562
  restart(limitMs: number): Promise<void> {
    return this.#outside.runInAsyncScope(() => this.#restart(limitMs));
  }

  get #attempt(): number {
    return this.#counter?.attempt ?? 0;
  }

  async #restart(limitMs: number): Promise<void> {
    const { name } = this.#service;
    const { isStopping, given, notify, onFailed, stopTimeoutMs } = this.#context;
    if (this.#state !== 'ready' && this.#state !== 'backoff') {
      throw new HostError(
        `hostx: restartService: service ${name} is ${this.#state}; it must be ready or in backoff`,
      );
    }
    this.#askedRestarts += 1;
    notify('serviceRestartAsked', { service: name });
    if (this.#state === 'backoff') this.#cancelTimer();
    else {
      this.#askedStop = this.#stopWithin(Math.min(stopTimeoutMs, limitMs));
      const errors = await this.#askedStop;
      if (isStopping()) throw stopsMeanwhile(name);
      this.#askedStop = null;
      if (this.status.state === 'abandoned') {
        const last = errors.at(-1)!;
        this.#lastError = last;
        onFailed(last);
        throw last;
      }
      for (const error of errors) {
        given.log.error(error, 'Service {Service} stopped with an error and starts again', name);
      }
    }
    this.#counter?.startOver();
    const ready = new Promise<void>((resolve, reject) => (this.#asker = { resolve, reject }));
    this.#begin('relaunch');
    await ready;
  }

  async #stopWithin(ms: number): Promise<readonly Error[]> {
    const deadline = deadlineAfter(ms, this.#context.clock);
    const errors = await this.#stop(deadline);
    deadline.dispose();
    return errors;
  }

  async #stop(deadline: Deadline): Promise<readonly Error[]> {
    const { clock, notify } = this.#context;
    const service = this.#service.name;
    const begun = clock.now();
    const hadTime = deadline.remainingMs() > 0;
    this.#cancelTimer();
    this.#move('stop');
    notify('serviceStopping', { service });
    this.#asker?.reject(stopsMeanwhile(service));

    const run = this.#run;
    run?.controller.abort();
    const stopped = outcomeOf(() => this.#scoped(() => this.#service.stop?.(deadline)));
    const both = await Promise.all([
      run && byDeadline(run.ended, deadline),
      byDeadline(stopped, deadline),
    ]);
    const ended = run && { signal: run.controller.signal, outcome: both[0] };
    const errors = stopErrors(service, ended, both[1]);
    const durationMs = clock.now() - begun;
    if (both[1] === null || (run !== null && both[0] === null)) {
      errors.push(abandoned(service, hadTime ? durationMs : null));
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
    if (!outcome.ok) {
      const error = errorIn(`service ${this.#service.name}: not ready`, outcome.error);
      run.unready = { thrown: outcome.error, error };
      this.#lastError = error;
      run.controller.abort(outcome.error);
      // A restart has to wait until this run has ended; giving up has not.
      if (this.#counter === null) this.#failed(error);
      return;
    }
    this.#move('ready');
    this.#context.notify('serviceReady', {
      service: this.#service.name,
      attempt: this.#attempt,
      durationMs: this.#context.clock.now() - run.startedAt,
      addr: listeningAddress(this.#service),
    });
    if (this.#counter !== null) this.#cancelTimer = this.#counter.awaitStable();
    this.#isReady();
  }

  #ended(run: Run, outcome: Outcome): void {
    if (this.#run !== run || (this.#state !== 'starting' && this.#state !== 'ready')) return;
    const { clock, notify, isStopping, completes } = this.#context;
    const service = this.#service.name;
    const { unready } = run;
    const hasReturned = outcome.ok && unready === undefined;
    if (hasReturned && isStopping()) return;
    this.#run = null;
    this.#cancelTimer();
    if (hasReturned && completes) {
      this.#move('complete');
      notify('serviceCompleted', { service, durationMs: clock.now() - run.startedAt });
      return this.#isReady();
    }
    const thrown = unready !== undefined ? unready.thrown : outcome.ok ? undefined : outcome.error;
    this.#failed(unready?.error ?? prematureEnd(service, outcome), isFinalFailure(thrown));
  }

  #isReady(): void {
    this.#resolveFirstReady();
    this.#asker?.resolve();
  }

  #failed(error: Error, isFinal = false): void {
    this.#lastError = error;
    this.#asker?.reject(error);
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
    const last = verdict.why === null ? error : gaveUpBecause(service, verdict.why, error);
    this.#lastError = last;
    this.#move('giveUp');
    notify('serviceFailed', { service, error: last });
    onFailed(last);
  }
}
