import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What one slice of load has shown. */
export interface Reading {
  /** Requests a second. */
  readonly rate: number;
  /** Microseconds of the server's CPU for a request. */
  readonly cpu: number;
}

interface State {
  readonly cpu: NodeJS.CpuUsage;
  readonly exported: number;
}

/** Requests that are under way at the end of a slice, at most. */
const MOST_LEFT = 64;

/** A server under load, in a process of its own. */
export class Subject {
  readonly readings: Reading[] = [];
  requests = 0;
  port = 0;
  readonly #child: ChildProcess;
  #slices = 0;

  constructor(
    readonly name: string,
    file: string,
    variant: string,
    /** Spans for each request. */
    readonly spans: number,
  ) {
    this.#child = fork(file, [variant]);
  }

  async listening(): Promise<void> {
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`${this.name} ended with ${code}`);
    });
    ended.catch(() => {});
    const [{ port }] = (await Promise.race([once(this.#child, 'message'), ended])) as [
      { port: number },
    ];
    this.port = port;
  }

  /** Puts it under load, which answers how many requests there were in how many seconds. */
  async slice(
    load: (port: number) => Promise<{ count: number; seconds: number }>,
  ): Promise<Reading> {
    const before = (await this.#ask()).cpu;
    const { count, seconds } = await load(this.port);
    const after = (await this.#ask()).cpu;
    this.requests += count;
    this.#slices++;
    const cpu = after.user + after.system - before.user - before.system;
    return { rate: count / seconds, cpu: cpu / count };
  }

  /** @throws Error where it has not made the spans that it is measured for. */
  async expectSpans(): Promise<void> {
    // What does not fit in the queue of the SDK is dropped; a client leaves requests at the end of a slice.
    const { exported } = await this.#ask();
    const most = (this.requests + this.#slices * MOST_LEFT) * this.spans;
    const isRight = this.spans === 0 ? exported === 0 : exported > 0 && exported <= most;
    if (!isRight) {
      throw new Error(`${this.name}: ${exported} spans of ${this.requests} requests`);
    }
  }

  stop(): void {
    this.#child.kill();
  }

  async #ask(): Promise<State> {
    this.#child.send('state');
    const [state] = (await once(this.#child, 'message')) as [State];
    return state;
  }
}
