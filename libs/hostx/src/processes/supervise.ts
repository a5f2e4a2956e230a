import { MAX_TIMER_MS, becomeProcessParent } from '@apix/contracts/internal';
import { HostError, joinErrors } from '../errors.js';
import { Host } from '../host/host-builder.js';
import type { Host as HostHandle } from '../host/host-handle.js';
import { type HeldSignals, holdSignals } from '../host/held-signals.js';
import { consoleLogger } from '../log/adapters.js';
import { type HostLogger, silentLogger } from '../log/host-logger.js';
import { HandedSocket, type RelayedLine } from './process-channel.js';
import { ProcessFigures } from './process-figures.js';
import type { ResolvedProcesses } from './processes-options.js';
import { OnceTasks } from './once-tasks.js';
import { type AppState, ProcessSlot } from './process-slot.js';
import { processStatuses } from './process-status.js';
import { SharedSockets } from './shared-sockets.js';
import type { RequestOfWorker, WorkerProcess } from './worker-process.js';

/** What the parent of several processes is run with. */
export interface SuperviseOptions {
  /** Default: those of the process from the call on. */
  readonly signals?: HeldSignals;
  /** For lines that no process can write; null for silence. Default: the console. */
  readonly logger?: HostLogger | null | undefined;
  /** How the host of the processes is run. Default: `host.run()`. */
  readonly run?: ((host: HostHandle) => Promise<void>) | undefined;
}

/**
 * Makes this process the parent of several processes of the app, which run its main file again. Resolves when
 * all have stopped.
 *
 * @throws HostError if a process fails during the first start, cannot be kept running, or has to be killed.
 */
export function superviseProcesses(
  settings: ResolvedProcesses,
  options: SuperviseOptions = {},
): Promise<void> {
  const run = settings.run ?? options.run ?? ((host) => host.run());
  return new ProcessParent(settings, options).run(run);
}

class ProcessParent {
  readonly #settings: ResolvedProcesses;
  readonly #sockets = new SharedSockets();
  readonly #once = new OnceTasks();
  readonly #figures = new ProcessFigures();
  readonly #slots: readonly ProcessSlot[];
  readonly #host: HostHandle;
  readonly #logger: HostLogger;
  #leader: WorkerProcess | null = null;
  #hasStarted = false;
  #rolling: Promise<void> = Promise.resolve();
  #nextRoll: Promise<void> | null = null;

  constructor(settings: ResolvedProcesses, { signals = holdSignals(), logger }: SuperviseOptions) {
    this.#settings = settings;
    const { count, restart, readyTimeoutMs } = settings;
    const plan = {
      count,
      readyTimeoutMs,
      hears: (worker: WorkerProcess, message: RequestOfWorker) => this.#hear(worker, message),
      changed: (worker: WorkerProcess) => {
        if (worker.hasEnded) {
          this.#once.ended(worker);
          this.#figures.ended(worker);
        }
        this.#tellStatus();
      },
    };
    const about: AppState = {
      isFirstStart: () => !this.#hasStarted,
      freeSeat: () => this.#freeSeat(),
      reason: () => this.#host.state.reason ?? 'shutdown',
    };
    this.#slots = Array.from({ length: count }, (_, at) => new ProcessSlot(at + 1, plan, about));
    const own = logger === null ? silentLogger : (logger ?? consoleLogger());
    this.#logger = relayedLogger(() => this.#ready[0], own);
    const builder = Host.builder()
      .withSignals(signals)
      .withLogger(this.#logger)
      // Each process has its own, and a limit on top.
      .withShutdownTimeout(MAX_TIMER_MS)
      .withReloadTimeout(MAX_TIMER_MS)
      .onReload(() => this.#reload(), 'all processes');
    for (const [at, slot] of this.#slots.entries()) {
      // The first alone, so that a mistake is reported once and what runs once has run.
      builder.addService(slot, { restart, after: at === 0 ? [] : [this.#slots[0]!.name] });
    }
    becomeProcessParent();
    settings.parent(builder);
    this.#host = builder.build();
  }

  async run(runHost: (host: HostHandle) => Promise<void>): Promise<void> {
    const killAll = (): void => this.#workers.forEach((worker) => worker.kill());
    const onRestart = (): void => void this.#roll().catch(() => {});
    process.once('exit', killAll);
    if (process.platform !== 'win32') process.on('SIGUSR2', onRestart);
    void this.#host.started.then((hasStarted) => (this.#hasStarted = hasStarted));
    try {
      await runHost(this.#host);
    } finally {
      process.off('SIGUSR2', onRestart);
      killAll();
      process.off('exit', killAll);
      await this.#sockets.closeUnused([]);
    }
  }

  get #workers(): readonly WorkerProcess[] {
    return this.#slots.flatMap(({ workers }) => workers);
  }

  #freeSeat(): number {
    const taken = new Set(this.#workers.map(({ seat }) => seat));
    let seat = 1;
    while (taken.has(seat)) seat += 1;
    return seat;
  }

  get #ready(): readonly WorkerProcess[] {
    return this.#workers.filter(({ isReady }) => isReady);
  }

  #hear(worker: WorkerProcess, message: RequestOfWorker): unknown {
    switch (message.kind) {
      case 'listen':
        return this.#sockets.socketFor(worker, message).then((handle) => new HandedSocket(handle));
      case 'restart':
        return this.#roll();
      case 'reload-all':
        return this.#host.reload();
      case 'processes':
        return processStatuses(this.#slots, this.#host.state);
      case 'shutdown':
        return this.#host.shutdown(message.reason);
      case 'begin-once':
        return this.#once.begin(message.task, worker);
      case 'end-once':
        return this.#once.end(message.task, worker, message.done);
      case 'metrics':
        return this.#figures.ofAll(this.#workers, message.figures);
      case 'figures':
        return this.#figures.keep(worker, message.figures, message.text);
    }
  }

  async #reload(): Promise<void> {
    const outcomes = await Promise.allSettled(
      this.#ready.map(({ channel }) => channel.ask({ kind: 'reload' })),
    );
    const error = joinErrors(
      outcomes
        .filter(({ status }) => status === 'rejected')
        .map((it) => (it as PromiseRejectedResult).reason as Error),
    );
    if (error !== null) throw error;
  }

  /** Restarts after the restart under way; several requests until then are one. */
  #roll(): Promise<void> {
    if (this.#nextRoll !== null) return this.#nextRoll;
    const before = this.#rolling;
    const roll = (async () => {
      await before.catch(() => {});
      await this.#host.started;
      this.#nextRoll = null;
      await this.#rollNow();
    })();
    this.#nextRoll = this.#rolling = roll;
    return roll;
  }

  async #rollNow(): Promise<void> {
    const begun = performance.now();
    this.#logger.information('Restart of all processes, one after the other');
    this.#once.forget();
    for (const slot of this.#slots) {
      if (this.#host.state.phase !== 'running')
        throw new HostError('hostx: restart: the host is not running');
      try {
        const error = await slot.replace();
        if (error !== null) this.#logger.error(error, 'The old process did not stop in order');
      } catch (error) {
        const failed = new HostError(
          `hostx: restart: the new ${slot.name} failed, the old processes go on: ${(error as Error).message}`,
          { cause: error },
        );
        this.#logger.error(failed, 'Restart stopped');
        throw failed;
      }
    }
    await this.#sockets.closeUnused(this.#workers);
    const ms = Math.round(performance.now() - begun);
    this.#logger.information('All processes restarted in {ElapsedMs} ms', ms);
  }

  /** Tells each process how many serve, and one of them that it is the leader; the old one has to end first. */
  #tellStatus(): void {
    const { count, minReady } = this.#settings;
    const ready = this.#ready;
    if (this.#leader?.hasEnded !== false) this.#leader = ready[0] ?? null;
    for (const worker of this.#workers) {
      const isLeader = worker === this.#leader;
      worker.channel.tell({ kind: 'status', ready: ready.length, count, minReady, isLeader });
    }
  }
}

/**
 * The log of the parent, which a process writes for it: the parent has no logger of the app. While no process
 * serves, lines go to the given logger.
 */
function relayedLogger(writer: () => WorkerProcess | undefined, alone: HostLogger): HostLogger {
  const relay = (line: RelayedLine, otherwise: () => void): void => {
    const worker = writer();
    if (worker === undefined) otherwise();
    else worker.channel.tell({ kind: 'log', ...line });
  };
  return {
    information: (template, ...args) =>
      relay({ level: 'information', template, args }, () => alone.information(template, ...args)),
    warning: (template, ...args) =>
      relay({ level: 'warning', template, args }, () => alone.warning(template, ...args)),
    error: (thrown, template, ...args) => {
      const error =
        thrown instanceof Error ? { message: thrown.message, stack: thrown.stack } : undefined;
      relay({ level: 'error', template, args, error }, () =>
        alone.error(thrown, template, ...args),
      );
    },
  };
}
