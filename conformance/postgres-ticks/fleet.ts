import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Beginning {
  readonly job: string;
  readonly tick: number;
}

export interface Treatment {
  readonly kills: number;
  readonly pauses: number;
  /** Longer than a replica may be silent. */
  readonly pauseMs: number;
}

/** Processes that share jobs, of which those in a run are killed and paused. */
export class Fleet {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #living = new Set<ChildProcess>();
  readonly #paused = new Set<ChildProcess>();
  #treatment: Treatment | null = null;
  /** The last tick of which a replica was killed, and paused. */
  #last = { SIGKILL: 0, SIGSTOP: 0 };
  #isStopping = false;
  readonly done = { kills: 0, pauses: 0 };
  /** The runs in which a replica was killed, as job and tick. */
  readonly cut = new Set<string>();
  readonly seen = new Set<string>();
  output = '';

  constructor(program: string, args: readonly string[]) {
    this.#program = program;
    this.#args = args;
  }

  add(): void {
    const child = fork(this.#program, this.#args, { silent: true });
    this.#living.add(child);
    const collect = (data: Buffer): unknown => (this.output += data.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('message', (message) => {
      if ('job' in (message as object)) void this.#onBegin(message as Beginning, child);
    });
    child.on('exit', () => {
      this.#living.delete(child);
      if (!this.#isStopping) this.add();
    });
  }

  /** From now on a tick has one replica killed, and some have another one paused, until all are done. */
  treat(treatment: Treatment): void {
    this.#treatment = treatment;
  }

  get isTreated(): boolean {
    const { kills = 0, pauses = 0 } = this.#treatment ?? {};
    return this.done.kills >= kills && this.done.pauses >= pauses && this.#paused.size === 0;
  }

  async #onBegin({ job, tick }: Beginning, child: ChildProcess): Promise<void> {
    this.seen.add(`${job} ${tick}`);
    const { kills, pauses, pauseMs } = this.#treatment ?? { kills: 0, pauses: 0, pauseMs: 0 };
    const { done } = this;
    // Pauses are spread over the kills.
    const isPauseDue = done.pauses < pauses && done.pauses * kills <= done.kills * pauses;
    if (isPauseDue && this.#last.SIGSTOP < tick - pauseMs && this.#paused.size === 0) {
      this.#last.SIGSTOP = tick;
      done.pauses++;
      this.#paused.add(child);
      child.kill('SIGSTOP');
      await sleep(pauseMs);
      child.kill('SIGCONT');
      this.#paused.delete(child);
    } else if (done.kills < kills && this.#last.SIGKILL < tick && !this.#paused.has(child)) {
      this.#last.SIGKILL = tick;
      done.kills++;
      // All that it runs has begun by then, and nothing has ended.
      await sleep(50 + Math.random() * 300);
      this.cut.add(`${job} ${tick}`);
      child.kill('SIGKILL');
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const ends = [...this.#living].map((child) => once(child, 'exit'));
    for (const child of this.#living) child.kill('SIGTERM');
    await Promise.race([Promise.all(ends), sleep(8_000, undefined, { ref: false })]);
    if (this.#living.size > 0) this.output += `\n${this.#living.size} replicas did not end\n`;
    for (const child of this.#living) child.kill('SIGKILL');
    await Promise.all(ends);
  }
}
