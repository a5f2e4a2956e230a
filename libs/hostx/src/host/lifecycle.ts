import { setMaxListeners } from 'node:events';
import { type Deadline, deadlineAfter, onAbort, thrownText } from '@apix/contracts';
import { runInScopes, isAbortOf, untilAborted } from '@apix/contracts/internal';
import { HostError, errorIn } from '../errors.js';
import { type Notify, notifyObservers } from '../observer.js';
import { type Outcome, byDeadline, outcomeOf, turn } from '../outcome.js';
import {
  HOST_TRANSITIONS,
  type HostEvent,
  type HostPhase,
  type HostStatus,
  transition,
} from '../state/transitions.js';
import type { Supervisor } from '../supervision/supervisor.js';
import { type ShutdownRequest, beginDrains } from './drains.js';
import { Failures, StopSteps } from './stop-steps.js';
import type { ShutdownOptions } from './host-handle.js';
import type { HostPlan, PlannedTask, StopInfo } from './host-plan.js';
import { logObserver } from './log-observer.js';
import { launchInOrder, stopInOrder } from './ordered.js';
import { Reloads } from './reloads.js';
import { restartNamed, supervisorsOf } from './supervised.js';
import { UnderWay } from './under-way.js';

/** The time that steps after an exceeded deadline share, so that logs are flushed even then. */
const LAST_GRACE_MS = 1_000;

/** One run of a plan: from idle to stopped. Knows nothing of the process around it. */
export class Lifecycle {
  /** As Host.started. */
  readonly started: Promise<boolean>;
  readonly #plan: HostPlan;
  readonly #supervisors: readonly Supervisor[];
  readonly #notify: Notify;
  readonly #stop = new AbortController();
  readonly #stopRequested: Promise<void>;
  readonly #failures: Failures;
  #phase: HostPhase = 'idle';
  #since: number;
  #wasRunning = false;
  #request: ShutdownRequest | undefined;
  #startUp: Promise<void> | null = null;
  /** The task or started hook under way, which a shutdown waits for. */
  #step: { readonly who: string; readonly work: Promise<Outcome> } | null = null;
  readonly #underWay: UnderWay;
  readonly #stopSteps: StopSteps;
  #settleStarted = (_running: boolean): void => {};
  readonly #reloads: Reloads;

  constructor(plan: HostPlan) {
    this.#plan = plan;
    this.#since = plan.clock.now();
    this.#failures = new Failures(plan.logger);
    this.#notify = notifyObservers([logObserver(plan.logger), ...plan.observers], plan.logger);
    this.#supervisors = supervisorsOf(plan, this.#notify, {
      isStopping: () => this.#stopping,
      onFailed: (error) => this.fail(error),
    });
    this.#underWay = new UnderWay(this.#supervisors, plan);
    this.#stopSteps = new StopSteps(this.#failures, this.#underWay);
    this.#reloads = new Reloads(plan, this.#notify, this.#stop.signal);
    this.started = new Promise((resolve) => (this.#settleStarted = resolve));
    this.#stopRequested = untilAborted(this.#stop.signal);
  }

  get state(): HostStatus {
    return {
      phase: this.#phase,
      since: this.#since,
      reason: this.#request?.reason,
      services: this.#supervisors.map((supervisor) => supervisor.status),
    };
  }

  /** What the host waits for, by name; empty if it waits for nothing. */
  get waitingFor(): string {
    return this.#underWay.text;
  }

  /** Whether code that was asked to stop is still running. */
  get hasAbandoned(): boolean {
    return this.#failures.hasAbandoned;
  }

  async runContext(signal?: AbortSignal): Promise<void> {
    if (this.#phase !== 'idle') {
      throw new HostError('hostx: a host can only run once; build another one to run again');
    }
    const forget =
      signal && onAbort(signal, (reason) => this.shutdown(`aborted: ${thrownText(reason)}`));
    try {
      this.#move('run');
      this.#startUp = this.#boot();
      await this.#startUp;
      await this.#stopRequested;
      await this.#tearDown();
    } finally {
      forget?.();
      this.#settleStarted(false);
    }
    const error = this.#failures.joined;
    if (error !== null) throw error;
  }

  shutdown(reason = 'shutdown', { withoutDelay }: ShutdownOptions = {}): void {
    this.#shutdown({ reason, withoutDelay });
  }

  #shutdown(request: ShutdownRequest): void {
    if (this.#stop.signal.aborted) return;
    const { reason } = (this.#request = request);
    if (this.#phase === 'starting' || this.#phase === 'running') this.#move('shutdown');
    this.#stop.abort(new HostError(`hostx: shutting down: ${reason}`));
  }

  /** Records the error with which the run will reject, and shuts down. */
  fail(error: Error): void {
    this.#failures.add(error);
    this.#shutdown({ reason: error.message, shown: 'a failure' });
  }

  reload(): Promise<void> {
    return this.#reloads.add(async () => {
      await this.#startUp;
      return this.#phase === 'running';
    });
  }

  restartService(name: string): Promise<void> {
    return restartNamed(name, this.#phase, this.#supervisors, this.#plan);
  }

  #move(event: HostEvent): void {
    const from = this.#phase;
    this.#phase = transition(HOST_TRANSITIONS, from, event);
    this.#since = this.#plan.clock.now();
    this.#notify('hostPhaseChanged', { from, to: this.#phase });
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** The start, reported while it lasts and ended by the boot timeout. */
  async #boot(): Promise<void> {
    const { bootTimeoutMs } = this.#plan;
    const told = this.#underWay.reportWhile('starting');
    const cancel = this.#failAfter(
      bootTimeoutMs,
      () => `not started within the boot timeout of ${bootTimeoutMs} ms: ${this.waitingFor}`,
    );
    await this.#start();
    cancel();
    told();
  }

  /** Fails after a time, unless the returned function is called. Infinity: never. */
  #failAfter(ms: number, why: () => string): () => void {
    if (ms === Infinity) return () => {};
    return this.#plan.clock.after(ms, () => this.fail(new HostError(`hostx: ${why()}`)));
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
    this.#wasRunning = true;
    this.#settleStarted(true);
  }

  async #runTask(task: PlannedTask): Promise<void> {
    const begun = this.#plan.clock.now();
    const { signal } = this.#stop;
    this.#notify('taskStarting', { task: task.name });
    const work = outcomeOf(() =>
      runInScopes(task.isScoped ? this.#plan.scopes : [], 'task', task.name, () =>
        task.run(signal),
      ),
    );
    const error = await this.#untilStop(work, `startup task ${task.name}`);
    const durationMs = this.#plan.clock.now() - begun;
    if (error !== undefined) this.#notify('taskDone', { task: task.name, durationMs, error });
    else if (!this.#stopping) this.#notify('taskDone', { task: task.name, durationMs });
  }

  /** Waits for a step, but not beyond the request to stop; the teardown then takes it over. */
  async #untilStop(work: Promise<Outcome>, who: string): Promise<Error | undefined> {
    const judged = work.then((outcome): Outcome => {
      if (outcome.ok || isAbortOf(this.#stop.signal, outcome.error)) return { ok: true };
      return { ok: false, error: errorIn(who, outcome.error) };
    });
    this.#step = { who, work: judged };
    this.#underWay.begin(who);
    const first = await Promise.race([judged, this.#stopRequested]);
    if (first === undefined) return undefined;
    this.#step = null;
    this.#underWay.end(who);
    if (first.ok) return undefined;
    this.fail(first.error as Error);
    return first.error as Error;
  }

  async #launch(): Promise<void> {
    const { startTimeoutMs, order } = this.#plan;
    const names = (): string =>
      this.#supervisors
        .filter(({ isSettled }) => !isSettled)
        .map(({ status: { name, state } }) => `${name} (${state})`)
        .join(', ');
    const cancel = this.#failAfter(
      startTimeoutMs,
      () => `not ready within the start timeout of ${startTimeoutMs} ms: ${names()}`,
    );
    const ready = launchInOrder(order, this.#supervisors, () => this.#stopping);
    await Promise.race([ready, this.#stopRequested]);
    cancel();
  }

  async #tearDown(): Promise<void> {
    const { clock, order, shutdownTimeoutMs } = this.#plan;
    const told = this.#underWay.reportWhile('stopping');
    const deadline = deadlineAfter(shutdownTimeoutMs, clock);
    const last = deadlineAfter(shutdownTimeoutMs + LAST_GRACE_MS, clock);
    // Services that stop at the same time all listen to it, without a leak.
    setMaxListeners(0, deadline.signal);
    // Why: docs/decisions/0059
    beginDrains(this.#supervisors, this.#plan, this.#request!);
    await this.#stoppingHooks(deadline);
    await this.#finishStep(deadline);
    await stopInOrder(order, this.#supervisors, deadline, this.#failures.add);
    // An error of an abort listener becomes an uncaught error a tick later, and is handled here.
    await turn();
    this.#failures.hasAbandoned ||= this.state.services.some(({ state }) => state === 'abandoned');
    await this.#stopSteps.run('', this.#plan.teardown, deadline, last);
    await this.#stopSteps.run('stopped hook ', this.#plan.onStopped, deadline, last);
    // Reported before the logger is closed; otherwise the last line would be lost.
    this.#move('done');
    await this.#stopSteps.run('', this.#plan.closers, deadline, last);
    told();
    deadline.dispose();
    last.dispose();
  }

  get #hasStarted(): StopInfo['started'] {
    if (this.#wasRunning) return 'all';
    return this.#supervisors.some(({ status }) => status.state !== 'waiting') ? 'some' : 'nothing';
  }

  /** Hooks that hang get half of the time, so that services can still stop in order. */
  async #stoppingHooks(deadline: Deadline): Promise<void> {
    if (this.#plan.onStopping.length === 0) return;
    const stop: StopInfo = { reason: this.#request!.reason, started: this.#hasStarted };
    // Why: docs/decisions/0051
    const half = deadlineAfter(deadline.remainingMs() / 2, this.#plan.clock);
    const hooks = this.#plan.onStopping.map(({ name, run }) => ({
      name,
      run: (left: Deadline) => run(left, stop),
    }));
    await this.#stopSteps.run('stopping hook ', hooks, deadline, half);
    half.dispose();
  }

  async #finishStep(deadline: Deadline): Promise<void> {
    if (this.#step === null) return;
    const { who, work } = this.#step;
    const outcome = await byDeadline(work, deadline);
    this.#underWay.end(who);
    if (outcome === null) this.#failures.addAbandoned(who);
    else if (!outcome.ok) this.#failures.add(outcome.error as Error);
  }
}
