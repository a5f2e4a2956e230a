import { answerInTime } from './in-time.js';
import { addExposition, type Exposition, readExposition, writeExposition } from './exposition.js';
import type { WorkerProcess } from './worker-process.js';

/**
 * The figures of all processes. Counts are those of all processes that there have been: what a process had
 * counted stays when it ends, so that no sum ever falls.
 */
export class ProcessFigures {
  readonly #latest = new Map<WorkerProcess, string[]>();
  /** Of processes that have ended, by the number of the figures. */
  readonly #ended: Exposition[] = [];

  keep(worker: WorkerProcess, figures: number, text: string): void {
    // Those of a process that has ended are in the sums already.
    if (worker.hasEnded) return;
    const kept = this.#latest.get(worker) ?? [];
    kept[figures] = text;
    this.#latest.set(worker, kept);
  }

  /** Adds what a process has counted to the sums for good. */
  ended(worker: WorkerProcess): void {
    for (const [figures, text] of (this.#latest.get(worker) ?? []).entries()) {
      if (text !== undefined) addExposition(this.#endedOf(figures), readExposition(text), null);
    }
    this.#latest.delete(worker);
  }

  /** Asks all processes, and adds their answers. */
  async ofAll(workers: readonly WorkerProcess[], figures: number): Promise<string> {
    await Promise.all(workers.map((worker) => this.#ask(worker, figures)));
    const sum: Exposition = new Map();
    // Its own first, in the order of a process; then what those before it have left.
    for (const [worker, kept] of this.#latest) {
      const text = kept[figures];
      const process = worker.isStopping ? `${worker.index}-stopping` : String(worker.index);
      if (text !== undefined) addExposition(sum, readExposition(text), process);
    }
    addExposition(sum, this.#endedOf(figures), null);
    return writeExposition(sum);
  }

  /** What it sent last counts, if it does not answer. */
  async #ask(worker: WorkerProcess, figures: number): Promise<void> {
    const text = await answerInTime(worker.channel.ask({ kind: 'collect', figures }));
    if (typeof text === 'string' && text !== '') this.keep(worker, figures, text);
  }

  #endedOf(figures: number): Exposition {
    return (this.#ended[figures] ??= new Map());
  }
}
