import type { WorkerProcess } from './worker-process.js';

/** Which processes have begun and done the tasks that run once in all processes of a build. */
export class OnceTasks {
  #done = new Set<string>();
  readonly #running = new Map<string, { readonly worker: WorkerProcess; end: () => void }>();
  readonly #turns = new Map<string, Promise<void>>();

  /** To be called when processes of another build are to be started: all tasks are due again. */
  forget(): void {
    this.#done = new Set();
  }

  /** Resolves with whether the process is to run it; after the one that runs it now has ended it. */
  async begin(task: string, worker: WorkerProcess): Promise<boolean> {
    while (this.#turns.has(task)) await this.#turns.get(task);
    if (this.#done.has(task) || worker.hasEnded) return false;
    let end = (): void => {};
    const turn = new Promise<void>((resolve) => (end = resolve));
    this.#turns.set(task, turn);
    this.#running.set(task, { worker, end });
    return true;
  }

  end(task: string, worker: WorkerProcess, done: boolean): void {
    const running = this.#running.get(task);
    if (running?.worker !== worker) return;
    if (done) this.#done.add(task);
    this.#running.delete(task);
    this.#turns.delete(task);
    running.end();
  }

  /** What a process that has ended was doing is not done. */
  ended(worker: WorkerProcess): void {
    for (const [task, running] of this.#running) {
      if (running.worker === worker) this.end(task, worker, false);
    }
  }
}
