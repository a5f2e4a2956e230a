import { type MetricReading, thrownText } from '@apix/contracts';
import { MAX_TIMER_MS, checkedOptions } from '@apix/contracts/internal';
import type { Environment } from '../environment.js';
import { mistakesIn, wrapping } from '../errors.js';
import { parentLink } from '../processes/parent-link.js';
import { stackWithCauses } from '../log/stack-with-causes.js';
import type { HostStatus } from '../state/transitions.js';
import { HeldSignals } from './signals.js';
import {
  type Host,
  RUN_OPTIONS,
  type RunOptions,
  type ShutdownOptions,
  type UncaughtPolicy,
} from './host-handle.js';
import type { HostPlan } from './host-plan.js';
import { readingsOfHost } from './host-readings.js';
import { Lifecycle } from './lifecycle.js';
import { signalsWithoutDelay } from './without-delay.js';

/** How long the process may outlive a run that had to abandon something, in milliseconds. */
const LINGER_MS = 1_000;

interface RunParts {
  readonly keepAlive: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A {@link Lifecycle} connected to the process it runs in. */
export class ProcessHost implements Host {
  readonly #plan: HostPlan;
  readonly #lifecycle: Lifecycle;
  readonly #withoutMetrics = new Set<string>();
  #ownsProcess = false;
  #hold: NodeJS.Timeout | null = null;

  constructor(plan: HostPlan) {
    this.#plan = plan;
    this.#lifecycle = new Lifecycle(plan);
  }

  get started(): Promise<boolean> {
    return this.#lifecycle.started;
  }

  get shutdownTimeout(): number {
    return this.#plan.shutdownTimeoutMs;
  }

  get bootTimeout(): number {
    return this.#plan.bootTimeoutMs;
  }

  get ownsProcess(): boolean {
    return this.#ownsProcess;
  }

  get environment(): Environment {
    return this.#plan.environment;
  }

  get state(): HostStatus {
    return this.#lifecycle.state;
  }

  metrics(): Iterable<MetricReading> {
    const { services, logger } = this.#plan;
    return readingsOfHost(
      this.state,
      services.map(({ service }) => service),
      (name, error) => {
        if (this.#withoutMetrics.has(name)) return;
        this.#withoutMetrics.add(name);
        logger.error(error, 'Metrics of service {Service} cannot be read', name);
      },
    );
  }

  async run(options: RunOptions = {}): Promise<void> {
    const { signals, uncaught, keepAlive } = checkedOptions(
      RUN_OPTIONS,
      options,
      mistakesIn('run'),
    );
    this.#ownsProcess = signals;
    const { logger, clock, signals: held } = this.#plan;
    if (signals) parentLink()?.attach({ host: this, logger });
    const offSignals = signals
      ? this.followSignals(held ?? new HeldSignals({ clock }))
      : this.#leaveSignals();
    const offUncaught = connectUncaught(uncaught, {
      fail: (error) => this.#lifecycle.fail(error),
      report: (error) => {
        logger.error(error, 'Uncaught error');
        if (this.#plan.isSilent) process.stderr.write(`${stackWithCauses(error)}\n`);
      },
    });
    try {
      await this.#run({ keepAlive });
    } finally {
      offSignals();
      offUncaught();
      if (signals && this.#lifecycle.hasAbandoned) exitWhenHeldUp(LINGER_MS, 1);
    }
  }

  async runContext(signal?: AbortSignal): Promise<void> {
    this.#leaveSignals();
    await this.#run({ keepAlive: true, signal });
  }

  async #run({ keepAlive, signal }: RunParts): Promise<void> {
    // Services that only wait for their signal hold nothing, and neither do signal handlers:
    // Node would end the process in the middle of the run.
    this.#hold = setInterval(() => {}, MAX_TIMER_MS);
    if (!keepAlive) this.#hold.unref();
    try {
      await this.#lifecycle.runContext(signal);
    } finally {
      clearInterval(this.#hold);
    }
  }

  shutdown(reason?: string, options?: ShutdownOptions): void {
    this.#hold?.ref();
    this.#lifecycle.shutdown(reason, options);
  }

  reload(): Promise<void> {
    const done = this.#lifecycle.reload();
    // Code that awaits it sees the rejection; without such code it must not end the process.
    done.catch(() => {});
    return done;
  }

  restartService(name: string): Promise<void> {
    const done = this.#lifecycle.restartService(name);
    done.catch(() => {});
    return done;
  }

  followSignals(signals: HeldSignals, onStop?: (signal: NodeJS.Signals) => void): () => void {
    const withoutDelayBy = signalsWithoutDelay();
    signals.connect({
      shutdown: (signal) => {
        onStop?.(signal);
        this.shutdown(signal, { withoutDelay: withoutDelayBy(signal) });
      },
      reload: () => void this.reload(),
      exit: (code, signal) => {
        this.#plan.logger.warning(
          'Second signal, {Signal}: the process ends at once, without waiting for {Waiting}',
          signal,
          this.#lifecycle.waitingFor,
        );
        process.exit(code);
      },
    });
    return () => signals.release();
  }

  /** For a run that is not stopped by signals; one that has come before it counts. */
  #leaveSignals(): () => void {
    const { signals } = this.#plan;
    signals?.release();
    if (signals !== null && signals.stop !== null) this.shutdown(signals.stop);
    return () => {};
  }
}

/** Ends the process if something still holds it a moment from now; by itself it holds nothing. */
export function exitWhenHeldUp(afterMs: number, code: number): void {
  setTimeout(() => process.exit(process.exitCode ?? code), afterMs).unref();
}

export interface UncaughtTargets {
  /** Records the error and stops in order. */
  fail(error: Error): void;
  report(error: Error): void;
}

/** Applies the policy to the process; the returned function takes it back. */
export function connectUncaught(policy: UncaughtPolicy, targets: UncaughtTargets): () => void {
  if (policy === 'ignore') return () => {};
  let lostOutput = false;
  const deal = (kind: string, error: unknown): void => {
    if (isOfOutput(error)) {
      // To log it writes again, which fails again before anything else has a turn.
      if (lostOutput) return;
      lostOutput = true;
    }
    const named = wrapping(`hostx: ${kind}: ${thrownText(error)}`, error);
    if (policy === 'stop') targets.fail(named);
    else targets.report(named);
  };
  const onException = (error: unknown): void => deal('uncaught exception', error);
  const onRejection = (reason: unknown): void => deal('unhandled rejection', reason);
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}

/** Whether it may come from a log writing to an output that is no longer read. */
function isOfOutput(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'write' && (code === 'EPIPE' || code === 'EIO');
}
