import type { ChildProcess } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pause, type ProcessMark, systemClock } from '@apix/contracts';
import { markedEnvironment } from '@apix/contracts/internal';
import { HostError } from '../errors.js';
import { DEFAULT_SHUTDOWN_TIMEOUT } from '../host/held-signals.js';
import { ProcessChannel, type ParentMessage, type WorkerMessage } from './process-channel.js';

/** What a process may take beyond its shutdown timeout, for its last steps and its linger, in milliseconds. */
const STOP_GRACE_MS = 5_000;

/** How a process ends that has stopped in order; by SIGHUP, if its terminal is gone. */
const WELL_ENDED: readonly string[] = ['exited with code 0', 'was ended by SIGHUP'];

/** Options of Node that two processes cannot have at the same time. */
const OF_ONE_PROCESS = /^--(inspect|debug)(-|=|$)/;

/** What a process says that concerns others. */
export type RequestOfWorker = Exclude<WorkerMessage, { readonly kind: 'ready' }>;

/** How a process is made; the same for all. */
export interface WorkerPlan {
  readonly count: number;
  readonly readyTimeoutMs: number;
  /** Deals with the messages of a process other than `ready`; what it returns is the answer. */
  readonly hears: (worker: WorkerProcess, message: RequestOfWorker) => unknown;
  /** Called when a process has become ready, is asked to stop, or has ended. */
  readonly changed: (worker: WorkerProcess) => void;
}

/** One process of the app, from its start to its end. */
export class WorkerProcess {
  /** Rejects if it ends before, or takes too long; it is killed then. */
  readonly ready: Promise<void>;
  /** Resolves with how it ended, such as `exited with code 1`. */
  readonly ended: Promise<string>;
  readonly channel: ProcessChannel<ParentMessage, WorkerMessage>;
  /** In milliseconds since the epoch. */
  readonly startedAt = Date.now();
  readonly #child: ChildProcess;
  readonly #changed: () => void;
  #stopWithinMs = DEFAULT_SHUTDOWN_TIMEOUT;
  #isReady = false;
  #hasEnded = false;
  #stopping: Promise<Error | null> | null = null;

  constructor(
    readonly index: number,
    /** As in {@link ProcessMark}. */
    readonly seat: number,
    { count, readyTimeoutMs, hears, changed }: WorkerPlan,
  ) {
    this.#changed = () => changed(this);
    this.#child = forkApp({ index, seat, count, parent: process.pid });
    let becomeReady = (): void => {};
    const saidReady = new Promise<void>((resolve) => (becomeReady = resolve));
    this.channel = new ProcessChannel(this.#child, (message) => {
      if (message.kind !== 'ready') return hears(this, message);
      this.#stopWithinMs = message.stopWithinMs;
      this.#isReady = true;
      becomeReady();
      this.#changed();
      return undefined;
    });
    this.ended = this.#endOf(this.#child);
    this.ready = this.#readyWithin(saidReady, readyTimeoutMs);
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it serves. */
  get isReady(): boolean {
    return this.#isReady && this.#stopping === null && !this.#hasEnded;
  }

  /** Whether it has ever been ready. */
  get wasReady(): boolean {
    return this.#isReady;
  }

  get isStopping(): boolean {
    return this.#stopping !== null;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Asks it to stop in order, once; resolves when it has ended, with an error if it failed to stop in order or had
   * to be killed because it had not ended within its shutdown timeout.
   */
  stop(reason: string, withoutDelay?: string): Promise<Error | null> {
    this.#stopping ??= this.#stop(reason, withoutDelay);
    return this.#stopping;
  }

  /** Ends it at once. */
  kill(): void {
    if (!this.#hasEnded) this.#child.kill('SIGKILL');
  }

  #endOf(child: ChildProcess): Promise<string> {
    return new Promise((resolve) => {
      const end = (how: string): void => {
        this.#hasEnded = true;
        resolve(how);
        this.#changed();
      };
      child.once('error', (error) => {
        if (child.pid === undefined) end(`could not be started: ${error.message}`);
      });
      child.once('exit', (code, signal) =>
        end(signal === null ? `exited with code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  async #stop(reason: string, withoutDelay: string | undefined): Promise<Error | null> {
    this.channel.tell({ kind: 'stop', reason, withoutDelay });
    queueMicrotask(this.#changed);
    const limitMs = this.#stopWithinMs + STOP_GRACE_MS;
    if (!(await this.#endsWithin(limitMs))) {
      this.kill();
      await this.ended;
      return new HostError(`process ${this.index} did not stop within ${limitMs} ms; killed`);
    }
    const how = await this.ended;
    // What it could not stop is in the log.
    return WELL_ENDED.includes(how) ? null : new HostError(how);
  }

  async #readyWithin(saidReady: Promise<void>, ms: number): Promise<void> {
    const over = new AbortController();
    const first = await Promise.race([
      saidReady.then(() => null),
      this.ended,
      pause(ms, over.signal, systemClock).then(() => `was not ready within ${ms} ms`),
    ]);
    over.abort();
    if (first === null) return;
    const text = this.#hasEnded ? `${first} before it was ready` : first;
    this.kill();
    throw new HostError(text);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const over = new AbortController();
    const hasEnded = this.ended.then(() => true);
    const first = await Promise.race([
      hasEnded,
      pause(ms, over.signal, systemClock).then(() => false),
    ]);
    over.abort();
    return first;
  }
}

/** Runs the main of this process again. */
function forkApp(mark: ProcessMark): ChildProcess {
  const [, main, ...args] = process.argv;
  if (main === undefined) {
    throw new HostError('hostx: processes: the app has no main file that could be run again');
  }
  const { fork } = process.getBuiltinModule('node:child_process');
  const passed = passedSockets();
  const child = fork(main, args, {
    execArgv: process.execArgv.filter((arg) => !OF_ONE_PROCESS.test(arg)),
    env: { ...process.env, ...markedEnvironment(mark) },
    stdio: ['inherit', outputTo(1), outputTo(2), ...passed, 'ipc'],
  });
  if (child.stdout !== null) relayLines(child.stdout, process.stdout);
  if (child.stderr !== null) relayLines(child.stderr, process.stderr);
  return child;
}

/** Only pipes and sockets tear lines that several processes write at the same time. */
function outputTo(fd: number): 'inherit' | 'pipe' {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket() ? 'pipe' : 'inherit';
  } catch {
    return 'inherit';
  }
}

/** The sockets of systemd's activation (sd_listen_fds(3)), which each process gets under the same numbers. */
function passedSockets(): number[] {
  const count = Number(process.env['LISTEN_FDS']);
  if (process.env['LISTEN_PID'] !== String(process.pid) || !(count > 0)) return [];
  return Array.from({ length: count }, (_, index) => 3 + index);
}

const LINE_FEED = 0x0a;

/**
 * Passes on the output of a process by whole lines, so that those of several processes are not mixed. The last
 * line of a process that was killed gets its end.
 */
function relayLines(from: Readable, to: Writable): void {
  let parts: Buffer[] = [];
  from.on('data', (data: Buffer) => {
    const end = data.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      parts.push(data.subarray(0, end));
      pass(from, to, Buffer.concat(parts));
      parts = [];
    }
    if (end < data.length) parts.push(data.subarray(end));
  });
  from.once('end', () => {
    if (parts.length > 0) to.write(Buffer.concat([...parts, Buffer.from('\n')]));
  });
}

/** Reads on when the reader of our own output has taken what it was given. */
function pass(from: Readable, to: Writable, lines: Buffer): void {
  if (to.write(lines) || to.destroyed) return;
  from.pause();
  to.once('drain', () => from.resume());
}
