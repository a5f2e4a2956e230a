import { ownProcessMark, type ProcessMark } from '@apix/contracts';
import { leadWhile } from '@apix/contracts/internal';
import type { HostLogger } from '../log/host-logger.js';
import type { Host } from '../host/host-handle.js';
import {
  ProcessChannel,
  type ProcessStatus,
  type ProcessesStatus,
  type RelayedLine,
  type ParentMessage,
  type WorkerMessage,
  type WantedSocket,
} from './process-channel.js';

/** The parts of an app that the orders of the parent are for. */
export interface LinkedApp {
  readonly host: Host;
  readonly logger: HostLogger;
}

/** Reads the figures of one process. */
export type FiguresReader = () => string | Promise<string>;

/** How much of its counts is lost of a process that is killed, in milliseconds. */
const FIGURES_EVERY_MS = 1_000;

/** Shared by all copies of the package in a process. */
const LINK = Symbol.for('apix.hostx.ParentLink');

/** The link of this process to the parent that has started it; null if it is not one of several. */
export function parentLink(): ParentLink | null {
  const shared = globalThis as { [LINK]?: ParentLink | null };
  if (shared[LINK] === undefined) {
    const mark = process.send === undefined ? null : ownProcessMark();
    shared[LINK] = mark && new ParentLink(mark);
  }
  return shared[LINK];
}

/**
 * The listening socket that all processes of an app share, as the argument `handle` of `server.listen`; null in
 * an app of one process. With port 0, all get the same port.
 */
export async function sharedSocket(wanted: WantedSocket): Promise<object | null> {
  return (await parentLink()?.socketFor(wanted)) ?? null;
}

/** Whether what must run only once runs in this process; always, in an app of one process. */
export function isLeader(): boolean {
  return parentLink()?.status.isLeader ?? true;
}

/**
 * What reads the figures of all processes of an app, in the text format of Prometheus: counters and histograms
 * are summed, also those of processes that have ended; other figures have the label `process`.
 *
 * @param read those of this process; in an app of one process it is returned as it is
 */
export function figuresOfProcesses(read: FiguresReader): FiguresReader {
  return parentLink()?.offerFigures(read) ?? read;
}

/** The link of one of several processes to the parent. */
export class ParentLink {
  readonly index: number;
  readonly #channel: ProcessChannel<WorkerMessage, ParentMessage>;
  readonly #becameLeader: (() => void)[] = [];
  #status: ProcessesStatus;
  readonly #asksToStop: Promise<void>;
  #tellStop = (): void => {};
  #app: LinkedApp | null = null;
  #stop: { readonly reason: string; readonly withoutDelay: string | undefined } | null = null;
  readonly #figures: FiguresReader[] = [];

  constructor({ index, count, parent }: ProcessMark) {
    this.index = index;
    this.#asksToStop = new Promise((resolve) => (this.#tellStop = resolve));
    this.#status = { ready: 0, count, minReady: 1, isLeader: false };
    leadWhile(() => this.#status.isLeader);
    // Sockets of systemd's activation, which the parent has passed on under the same numbers.
    if (process.env['LISTEN_PID'] === String(parent)) {
      process.env['LISTEN_PID'] = String(process.pid);
    }
    this.#channel = new ProcessChannel(process, (message) => this.#hear(message));
    process.once('disconnect', () => this.#stopBy('the parent process has ended'));
    // The process ends by itself when it has stopped.
    process.channel?.unref();
  }

  /** As the parent last said it. */
  get status(): ProcessesStatus {
    return this.#status;
  }

  /** Whether the process stops because another one has taken its place, so that the app stays ready. */
  get isReplaced(): boolean {
    return this.#stop?.reason === REPLACED;
  }

  /** The listening socket that all processes share, for `server.listen`. */
  async socketFor(wanted: WantedSocket): Promise<object> {
    return (await this.#channel.ask({ kind: 'listen', ...wanted })) as object;
  }

  /**
   * Replaces all processes, one after the other; rejects if one does not become ready. Resolves when it is this
   * one's turn to go, because its stop waits for the code that asks.
   */
  async restartAll(): Promise<void> {
    await Promise.race([this.#channel.ask({ kind: 'restart' }), this.#asksToStop]);
  }

  /** Reloads in all processes; rejects with the errors of all. */
  async reloadAll(): Promise<void> {
    await this.#channel.ask({ kind: 'reload-all' });
  }

  /** How all processes are. */
  async statuses(): Promise<readonly ProcessStatus[]> {
    return (await this.#channel.ask({ kind: 'processes' })) as readonly ProcessStatus[];
  }

  /** Stops all processes. */
  shutdownAll(reason: string): void {
    this.#channel.tell({ kind: 'shutdown', reason });
  }

  /** Carries out the orders of the parent from now on; those that have come already, too. */
  attach(app: LinkedApp): void {
    this.#app = app;
    if (this.#stop !== null) app.host.shutdown(this.#stop.reason, this.#stop);
    void this.#tellWhenReady(app.host);
  }

  /** Resolves once this process is the one that runs what must run only once; until the signal aborts. */
  whenLeader(signal: AbortSignal): Promise<void> {
    if (this.#status.isLeader || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#becameLeader.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Runs a task unless another process of this build has done it; waits for one that is doing it. */
  async runOnce(task: string, run: () => unknown): Promise<void> {
    if ((await this.#channel.ask({ kind: 'begin-once', task })) !== true) return;
    let done = false;
    try {
      await run();
      done = true;
    } finally {
      this.#channel.tell({ kind: 'end-once', task, done });
    }
  }

  /**
   * Offers figures of this process, which every process offers in the same order, to be asked for those of all.
   *
   * @param read in the text format of Prometheus
   * @returns reads the figures of all processes
   */
  offerFigures(read: FiguresReader): () => Promise<string> {
    const figures = this.#figures.push(read) - 1;
    if (figures === 0) setInterval(() => void this.sendFigures(), FIGURES_EVERY_MS).unref();
    return async () => (await this.#channel.ask({ kind: 'metrics', figures })) as string;
  }

  /** Leaves the figures with the parent, so that they outlive this process. */
  async sendFigures(): Promise<void> {
    for (const [figures, read] of this.#figures.entries()) {
      try {
        await this.#channel.ask({ kind: 'figures', figures, text: await read() });
      } catch {
        // The parent is gone, or they cannot be read; a scrape reports that.
      }
    }
  }

  async #tellWhenReady({ started, shutdownTimeout }: Host): Promise<void> {
    if (await started) this.#channel.tell({ kind: 'ready', stopWithinMs: shutdownTimeout });
  }

  async #hear(message: ParentMessage): Promise<unknown> {
    switch (message.kind) {
      case 'stop':
        return this.#stopBy(message.reason, message.withoutDelay);
      case 'reload':
        return this.#app?.host.reload();
      case 'memory':
        return process.memoryUsage.rss();
      case 'collect':
        return this.#figures[message.figures]?.() ?? '';
      case 'log':
        return this.#write(message);
      case 'status':
        this.#status = message;
        if (message.isLeader) for (const begin of this.#becameLeader.splice(0)) begin();
        return undefined;
    }
  }

  #stopBy(reason: string, withoutDelay?: string): void {
    if (this.#stop !== null) return;
    this.#stop = { reason, withoutDelay };
    this.#tellStop();
    this.#app?.host.shutdown(reason, this.#stop);
  }

  #write({ level, template, args, error }: RelayedLine): void {
    const logger = this.#app?.logger;
    if (level === 'error') {
      const failure = error && Object.assign(new Error(error.message), { stack: error.stack });
      logger?.error(failure, template, ...args);
    } else logger?.[level](template, ...args);
  }
}

/** The reason of the stop of a process in whose place another one is ready. */
export const REPLACED = 'replaced by a new process';
