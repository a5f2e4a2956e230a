import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Ports } from '../drain/ports.js';
import { type Subject, type Usage, usageOf, type Way } from './subject.js';

/** How many processes an app has where nothing else is said. */
const PROCESSES = 2;
/** How long a start, a restart or a stop of up to four processes may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Those that run; a failure of the test must not leave them behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** What an app is started with. */
export interface ParentOptions {
  readonly platform: string;
  readonly way: Way;
  readonly drainMs: number;
  /** Default: 2. */
  readonly count?: number;
  /** Default: none. */
  readonly variables?: NodeJS.ProcessEnv;
}

/** An app in several processes, under a parent that this process has started. */
export class Parent implements Subject {
  readonly #child: ChildProcess;
  readonly #count: number;
  #readies = 0;
  /** Everything that the processes have written to standard output. */
  readonly output: string[] = [];
  ports: Ports = { http: 0, grpc: 0 };

  private constructor({ platform, way, drainMs, count = PROCESSES, variables }: ParentOptions) {
    this.#count = count;
    const start = fileURLToPath(new URL('start.mjs', import.meta.url));
    const args = [start, platform, 'host', String(drainMs), way, String(count)];
    const env = { ...process.env, NODE_OPTIONS: '', APP_ENVIRONMENT: 'Production', ...variables };
    this.#child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#child.stdout!.on('data', (data: Buffer) => {
      const text = String(data);
      if (platform === 'counting') this.output.push(text);
      for (const [, http, grpc] of text.matchAll(/ready (\d+) (\d+)/g)) {
        this.ports = { http: Number(http), grpc: Number(grpc), isTls: platform === 'h2' };
        this.#readies += 1;
      }
    });
  }

  static async start(options: ParentOptions): Promise<Parent> {
    const parent = new Parent(options);
    await within('start', parent.#count, () => parent.#readies === parent.#count);
    return parent;
  }

  /** The processes of the app. */
  get pids(): readonly number[] {
    const { pid } = this.#child;
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  }

  get usage(): Usage {
    return usageOf(this.#child.pid!);
  }

  /** Replaces all processes; resolves when the old ones have ended. */
  async restart(): Promise<void> {
    const before = this.#readies;
    this.#child.kill('SIGUSR2');
    await within('restart', this.#count, () => {
      return this.#readies === before + this.#count && this.pids.length === this.#count;
    });
  }

  /** Kills one of the processes; resolves when another one serves in its place. */
  async kill(): Promise<void> {
    const before = this.#readies;
    const { pids } = this;
    process.kill(pids[Math.floor(Math.random() * pids.length)]!, 'SIGKILL');
    await within('replace', this.#count, () => this.#readies === before + 1);
  }

  /** Resolves with how it ended: its exit code, or the signal. */
  async stop(): Promise<string> {
    const { exitCode } = this.#child;
    if (exitCode !== null) return String(exitCode);
    this.#child.kill('SIGTERM');
    await within(
      'stop',
      this.#count,
      () => this.#child.exitCode !== null || this.#child.signalCode !== null,
    );
    return String(this.#child.exitCode ?? this.#child.signalCode);
  }
}

async function within(what: string, count: number, isDone: () => boolean): Promise<void> {
  const patienceMs = PATIENCE_MS * Math.ceil(count / 4);
  for (let waited = 0; !isDone(); waited += 20) {
    if (waited > patienceMs) throw new Error(`the app did not ${what} within ${patienceMs} ms`);
    await sleep(20);
  }
}
