import { setMaxListeners } from 'node:events';
import {
  type Deadline,
  type DisposableDeadline,
  deadlineAfter,
  isAbortOf,
  onAbort,
  runInScopes,
  thrownText,
  untilAborted,
} from '@apix/contracts';
import type { Environment } from '../environment.js';
import { HostError, culprit, joinErrors } from '../errors.js';
import { type Tell, tellAll } from '../observer.js';
import { type Outcome, byDeadline, outcomeOf, turn } from '../outcome.js';
import {
  HOST_TRANSITIONS,
  type HostEvent,
  type HostPhase,
  type HostStatus,
} from '../state/host-phase.js';
import { transition } from '../state/transitions.js';
import { Supervisor } from '../supervision/supervisor.js';
import { launchInOrder, stopInOrder } from './ordered.js';
import type { HostPlan, PlannedTask, Step } from './host-plan.js';
import { logObserver } from './log-observer.js';

/** What steps after an overrun deadline share, so that logs are flushed even then. */
const LAST_GRACE_MS = 1_000;

/** A timer that throws each time must not fill the memory while the rest stops. */
const MAX_ERRORS = 100;

/** One run of a plan: from idle to stopped. Knows nothing of the process around it. */
export class Lifecycle {
  /** As Host.started. */
  readonly started: Promise<boolean>;
  readonly #plan: HostPlan;
  readonly #supervisors: readonly Supervisor[];
  readonly #tell: Tell;
  readonly #stop = new AbortController();
  readonly #stopRequested: Promise<void>;
  readonly #errors: Error[] = [];
  #abandoned = false;
  #phase: HostPhase = 'idle';
  #since: number;
  #reason: string | undefined;
  #startUp: Promise<void> | null = null;
  /** The task or started hook under way, which a shutdown waits for. */
  #step: Promise<Outcome> | null = null;
  #settleStarted = (_running: boolean): void => {};
  #reloads: Promise<void> = Promise.resolve();

  constructor(plan: HostPlan) {
    this.#plan = plan;
    this.#since = plan.clock.now();
    this.#tell = tellAll([logObserver(plan.logger), ...plan.observers], plan.logger);
    this.#supervisors = plan.services.map(
      ({ service, restart, isScoped }) =>
        new Supervisor(service, restart, {
          clock: plan.clock,
          random: plan.random,
          scopes: isScoped ? plan.scopes : [],
          tell: this.#tell,
          isStopping: () => this.#stopping,
          onFailed: (error) => this.fail(error),
        }),
    );
    this.started = new Promise((resolve) => (this.#settleStarted = resolve));
    this.#stopRequested = untilAborted(this.#stop.signal);
  }

  get shutdownTimeout(): number {
    return this.#plan.shutdownTimeoutMs;
  }

  get environment(): Environment {
    return this.#plan.environment;
  }

  get state(): HostStatus {
    return {
      phase: this.#phase,
      since: this.#since,
      reason: this.#reason,
      services: this.#supervisors.map((supervisor) => supervisor.status),
    };
  }

  /** Whether foreign code is still running that was told to stop. */
  get hasAbandoned(): boolean {
    return this.#abandoned;
  }

  async runContext(signal?: AbortSignal): Promise<void> {
    if (this.#phase !== 'idle') {
      throw new HostError('hostx: a host can only run once; build another one to run again');
    }
    const forget =
      signal && onAbort(signal, (reason) => this.shutdown(`aborted: ${thrownText(reason)}`));
    try {
      this.#move('run');
      this.#startUp = this.#start();
      await this.#startUp;
      await this.#stopRequested;
      await this.#tearDown();
    } finally {
      forget?.();
      this.#settleStarted(false);
    }
    const error = joinErrors(this.#errors);
    if (error !== null) throw error;
  }

  shutdown(reason = 'shutdown'): void {
    if (this.#stop.signal.aborted) return;
    this.#reason = reason;
    if (this.#phase === 'starting' || this.#phase === 'running') this.#move('shutdown');
    this.#stop.abort(new HostError(`hostx: shutting down: ${reason}`));
  }

  /** Records what the run will reject with, and shuts down. */
  fail(error: Error): void {
    this.#record(error);
    this.shutdown(error.message);
  }

  async reload(): Promise<void> {
    const mine = this.#reloads.then(() => this.#reload());
    // A failed reload concerns its caller, and must not end the queue or the process.
    this.#reloads = mine.catch(() => {});
    return mine;
  }

  #move(event: HostEvent): void {
    const from = this.#phase;
    this.#phase = transition(HOST_TRANSITIONS, from, event);
    this.#since = this.#plan.clock.now();
    this.#tell('hostPhaseChanged', { from, to: this.#phase });
  }

  #record(error: Error): void {
    this.#plan.logger.error(error, 'Host failed');
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  #recordAbandoned(who: string): void {
    this.#abandoned = true;
    this.#record(new HostError(`hostx: ${who}: did not finish in time; abandoned`));
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Returns when everything is started, or when something asked for the shutdown. */
  async #start(): Promise<void> {
    const { signal } = this.#stop;
    for (const task of this.#plan.tasks) {
      if (this.#stopping) break;
      await this.#runTask(task);
    }
    if (!this.#stopping) await this.#launch();
    for (const hook of this.#plan.onStarted) {
      if (this.#stopping) break;
      await this.#untilStop(
        outcomeOf(() => hook.run(signal)),
        `started hook ${hook.name}`,
      );
    }
    if (this.#stopping) {
      if (this.#phase === 'starting') this.#move('shutdown');
      return;
    }
    this.#move('started');
    this.#settleStarted(true);
  }

  async #runTask(task: PlannedTask): Promise<void> {
    const begun = this.#plan.clock.now();
    const { signal } = this.#stop;
    const work = outcomeOf(() =>
      runInScopes(task.isScoped ? this.#plan.scopes : [], 'task', task.name, () =>
        task.run(signal),
      ),
    );
    const error = await this.#untilStop(work, `startup task ${task.name}`);
    const durationMs = this.#plan.clock.now() - begun;
    if (error !== undefined) this.#tell('taskDone', { task: task.name, durationMs, error });
    else if (!this.#stopping) this.#tell('taskDone', { task: task.name, durationMs });
  }

  /** Waits for a step, but not beyond the request to stop; the teardown then takes it over. */
  async #untilStop(work: Promise<Outcome>, who: string): Promise<Error | undefined> {
    const judged = work.then((outcome): Outcome => {
      if (outcome.ok || isAbortOf(this.#stop.signal, outcome.error)) return { ok: true };
      return { ok: false, error: culprit(who, outcome.error) };
    });
    this.#step = judged;
    const first = await Promise.race([judged, this.#stopRequested]);
    if (first === undefined) return undefined;
    this.#step = null;
    if (first.ok) return undefined;
    this.fail(first.error as Error);
    return first.error as Error;
  }

  async #launch(): Promise<void> {
    const { clock, startTimeoutMs, order } = this.#plan;
    const cancel =
      startTimeoutMs === Infinity
        ? () => {}
        : clock.after(startTimeoutMs, () => this.#startTimedOut());
    const ready = launchInOrder(order, this.#supervisors, () => this.#stopping);
    await Promise.race([ready, this.#stopRequested]);
    cancel();
  }

  #startTimedOut(): void {
    const late = this.state.services.filter(({ state }) => state !== 'ready');
    const names = late.map(({ name, state }) => `${name} (${state})`).join(', ');
    this.fail(
      new HostError(
        `hostx: not ready within the start timeout of ${this.#plan.startTimeoutMs} ms: ${names}`,
      ),
    );
  }

  async #tearDown(): Promise<void> {
    const { clock, order, shutdownTimeoutMs } = this.#plan;
    const deadline = deadlineAfter(shutdownTimeoutMs, clock);
    const last = deadlineAfter(shutdownTimeoutMs + LAST_GRACE_MS, clock);
    // Services that stop side by side all listen to it, and none of them leaks.
    setMaxListeners(0, deadline.signal);
    // Why: docs/decisions/0059
    for (const supervisor of this.#supervisors) supervisor.beginDrain();
    await this.#stoppingHooks(deadline);
    await this.#finishStep(deadline);
    for (const error of await stopInOrder(order, this.#supervisors, deadline)) {
      this.#record(error);
    }
    // What an abort listener throws becomes an uncaught error a tick later, and belongs in here.
    await turn();
    this.#abandoned ||= this.state.services.some(({ state }) => state === 'abandoned');
    await this.#runSteps('', this.#plan.teardown, deadline, last);
    await this.#runSteps('stopped hook ', this.#plan.onStopped, deadline, last);
    // Told before the logger is closed, or the last line would be lost.
    this.#move('done');
    await this.#runSteps('', this.#plan.closers, deadline, last);
    deadline.dispose();
    last.dispose();
  }

  /** Hooks that hang get half of the time, so that services can still stop in order. */
  async #stoppingHooks(deadline: Deadline): Promise<void> {
    if (this.#plan.onStopping.length === 0) return;
    // Why: docs/decisions/0051
    const half = deadlineAfter(deadline.remainingMs() / 2, this.#plan.clock);
    await this.#runSteps('stopping hook ', this.#plan.onStopping, deadline, half);
    half.dispose();
  }

  async #finishStep(deadline: Deadline): Promise<void> {
    if (this.#step === null) return;
    const outcome = await byDeadline(this.#step, deadline);
    if (outcome === null) {
      this.#recordAbandoned('a startup task or started hook');
    } else if (!outcome.ok) this.#record(outcome.error as Error);
  }

  async #runSteps(
    kind: string,
    steps: readonly Step<Deadline>[],
    deadline: Deadline,
    limit: DisposableDeadline,
  ): Promise<void> {
    for (const step of steps) {
      const who = `${kind}${step.name}`;
      const outcome = await byDeadline(
        outcomeOf(() => step.run(deadline)),
        limit,
      );
      if (outcome === null) {
        this.#recordAbandoned(who);
      } else if (!outcome.ok) this.#record(culprit(who, outcome.error));
    }
  }

  async #reload(): Promise<void> {
    await this.#startUp;
    if (this.#phase !== 'running') return;
    const begun = this.#plan.clock.now();
    const errors: Error[] = [];
    for (const hook of this.#plan.onReload) {
      if (this.#stopping) break;
      const outcome = await outcomeOf(() => hook.run(this.#stop.signal));
      if (!outcome.ok) errors.push(culprit(`reload hook ${hook.name}`, outcome.error));
    }
    this.#tell('reloadDone', { durationMs: this.#plan.clock.now() - begun, errors });
    const error = joinErrors(errors);
    if (error !== null) throw error;
  }
}
