import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { note } from './journal.js';

export interface Beginning {
  readonly job: string;
  readonly tick: number;
}

/** The processes that share the jobs. */
export class ReplicaSet {
  readonly #args: readonly string[];
  readonly #journal: string;
  readonly #onBegin: (beginning: Beginning, process: ChildProcess) => void;
  readonly #living = new Set<ChildProcess>();
  /** Of ends that nobody forced. */
  readonly failures: string[] = [];
  /** What all of them wrote, for the report of a failure. */
  output = '';

  constructor(
    args: readonly string[],
    onBegin: (beginning: Beginning, process: ChildProcess) => void = () => {},
  ) {
    this.#args = args;
    this.#journal = args[0]!;
    this.#onBegin = onBegin;
  }

  add(): void {
    const child = fork(new URL('./replica.mjs', import.meta.url), this.#args, { silent: true });
    this.#living.add(child);
    const collect = (data: Buffer): unknown => (this.output += data.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('message', (message) => {
      if ('job' in (message as object)) this.#onBegin(message as Beginning, child);
    });
    child.on('exit', (code) => {
      if (code !== null && code !== 0) this.failures.push(`a replica ended with ${code}`);
      this.#living.delete(child);
      note(this.#journal, { what: 'dead', pid: child.pid! });
    });
  }

  /** Ends all as an operator would; those that have not ended in time, hard. */
  async stop(): Promise<void> {
    const ends = [...this.#living].map((child) => once(child, 'exit'));
    for (const child of this.#living) child.kill('SIGTERM');
    await Promise.race([Promise.all(ends), sleep(5_000, undefined, { ref: false })]);
    if (this.#living.size > 0) this.failures.push(`${this.#living.size} replicas did not end`);
    for (const child of this.#living) child.kill('SIGKILL');
    await Promise.all(ends);
  }

  /** Has a job run now, by order of one of the processes, and resolves with what that is told. */
  async trigger(job: string): Promise<unknown> {
    const [child] = this.#living;
    const told = new Promise((resolve) => {
      child!.on('message', (message: Readonly<Record<string, unknown>>) => {
        if ('triggered' in message) resolve(message['triggered']);
      });
    });
    child!.send(job);
    return Promise.race([told, sleep(10_000, 'nothing within 10 s', { ref: false })]);
  }

  /** Waits until the processes have written something. */
  async said(text: string, timeoutMs: number): Promise<boolean> {
    for (let waited = 0; waited < timeoutMs; waited += 100) {
      if (this.output.includes(text)) return true;
      await sleep(100);
    }
    return false;
  }
}
