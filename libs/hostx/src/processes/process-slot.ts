import type { DrainBegin } from '../drain-delay.js';
import { finalFailure, HostError, joinErrors } from '../errors.js';
import type { Service } from '../service.js';
import { REPLACED } from './parent-link.js';
import { WorkerProcess, type WorkerPlan } from './worker-process.js';

/** The state of the app as a whole. */
export interface AppState {
  /** Whether it has not been running yet. */
  readonly isFirstStart: () => boolean;
  /** As in `ProcessMark`, for a process that is started now. */
  readonly freeSeat: () => number;
  /** Why it stops. */
  readonly reason: () => string;
}

/** The place of one process, as a service: another process takes it when the one in it ends, or in a restart. */
export class ProcessSlot implements Service {
  readonly name: string;
  readonly #index: number;
  readonly #plan: WorkerPlan;
  readonly #about: AppState;
  #current: WorkerProcess | null = null;
  #successor: WorkerProcess | null = null;
  readonly #live = new Set<WorkerProcess>();
  #lastEnd: string | null = null;

  constructor(index: number, plan: WorkerPlan, about: AppState) {
    this.name = `process ${index}`;
    this.#index = index;
    this.#plan = plan;
    this.#about = about;
  }

  /** Every process that has not ended: the one in the place, one that is to take it, and those that stop. */
  get workers(): readonly WorkerProcess[] {
    return [...this.#live];
  }

  /** The process in the place; null while none is. */
  get current(): WorkerProcess | null {
    return this.#current;
  }

  /** How the last process ended that ended by itself; null if none has. */
  get lastEnd(): string | null {
    return this.#lastEnd;
  }

  async start(signal: AbortSignal): Promise<void> {
    let worker = (this.#current = this.#spawn());
    try {
      for (;;) {
        const how = await worker.ended;
        if (signal.aborted) return;
        await this.#successor?.ready.catch(() => {});
        if (this.#current === worker) {
          if (worker.isStopping) return;
          this.#lastEnd = how;
          throw this.#failure(worker, how);
        }
        worker = this.#current;
      }
    } finally {
      this.#current = null;
    }
  }

  async ready(): Promise<void> {
    await this.#current?.ready;
  }

  /** Asks all that are alive to stop, all at the same time. */
  beginDrain({ skipsDelay }: DrainBegin): void {
    for (const worker of this.#live) void this.#stop(worker, skipsDelay);
  }

  async stop(): Promise<void> {
    const outcomes = await Promise.all(this.workers.map((worker) => this.#stop(worker, false)));
    const error = joinErrors(outcomes.filter((outcome) => outcome !== null));
    if (error !== null) throw error;
  }

  /**
   * Starts a new process for the place, and stops the old one when the new one is ready. A place whose process
   * has ended is left: its next one is new anyway. Resolves with an error if the old one did not stop in order.
   *
   * @throws HostError if the new one does not become ready; the old one stays.
   */
  async replace(): Promise<Error | null> {
    const old = this.#current;
    if (old === null || !old.isReady) return null;
    const successor = (this.#successor = this.#spawn());
    try {
      await successor.ready;
      this.#current = successor;
    } finally {
      this.#successor = null;
    }
    return old.stop(REPLACED);
  }

  #failure(worker: WorkerProcess, how: string): HostError {
    const text = worker.wasReady ? how : `${how} before it was ready`;
    // Another one would fail in the same way: there is a mistake in the app, or around it.
    return this.#about.isFirstStart() ? finalFailure(text) : new HostError(text);
  }

  #stop(worker: WorkerProcess, skipsDelay: boolean): Promise<Error | null> {
    return worker.stop(this.#about.reason(), skipsDelay ? 'as the parent process' : undefined);
  }

  #spawn(): WorkerProcess {
    const worker = new WorkerProcess(this.#index, this.#about.freeSeat(), this.#plan);
    this.#live.add(worker);
    void worker.ended.then(() => this.#live.delete(worker));
    return worker;
  }
}
