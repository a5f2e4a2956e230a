import { type Clock, type Duration, systemClock } from '@apix/contracts';
import {
  anyValue,
  callable,
  checkedOptions,
  CLOCK,
  duration,
  type OptionTable,
  type ReadOptions,
  withDefault,
} from '@apix/contracts/internal';
import { mistakesIn } from '../errors.js';
import { type HostLogger, harmless, silentLogger } from '../log/host-logger.js';
import { type SignalTargets, connectSignals } from './signals.js';

/** The default shutdown timeout: 30 s. */
export const DEFAULT_SHUTDOWN_TIMEOUT = 30_000;

export interface HoldSignalsOptions {
  /**
   * How long the process may go on after a signal without a host that stops; it then ends with exit code 1.
   * Default: 30 s, as the shutdown timeout of a host.
   */
  readonly timeout?: Duration | undefined;
  /** Default: silent. */
  readonly logger?: HostLogger | undefined;
  /** Called with a signal that asks for the stop while there is no host. Default: none. */
  readonly onStop?: ((signal: NodeJS.Signals) => void) | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

const HOLD_SIGNALS_OPTIONS = {
  timeout: withDefault(duration({ min: 1 }), DEFAULT_SHUTDOWN_TIMEOUT),
  // Its failures do no harm: signals are held before the options of a host are read.
  logger: withDefault(anyValue<HostLogger>(), silentLogger),
  onStop: callable<(signal: NodeJS.Signals) => void>(),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<HoldSignalsOptions>;

/**
 * Keeps the process's signals until a host runs, to be called in the first line of a main that takes time
 * before that; `withSignals` of the builder passes them to the host. Without it a signal is lost in process
 * 1 of a container, and wherever other code listens to it. A second signal ends the process at once.
 *
 * @throws HostError that lists every mistake in the options.
 */
export function holdSignals(options: HoldSignalsOptions = {}): HeldSignals {
  return new HeldSignals(options);
}

/** The signals of a process from before there is a host. */
export class HeldSignals {
  readonly #disconnect: () => void;
  readonly #options: ReadOptions<typeof HOLD_SIGNALS_OPTIONS>;
  #targets: SignalTargets | null = null;
  #stop: NodeJS.Signals | null = null;
  #isReloadDue = false;
  #cancel = (): void => {};

  constructor(options: HoldSignalsOptions) {
    this.#options = checkedOptions(
      HOLD_SIGNALS_OPTIONS,
      options,
      mistakesIn('the signals cannot be held'),
    );
    this.#disconnect = connectSignals(
      process,
      {
        shutdown: (signal) => {
          this.#stop = signal;
          if (this.#targets !== null) this.#targets.shutdown(signal);
          else this.#stopWithoutHost(signal);
        },
        reload: () => {
          if (this.#targets !== null) this.#targets.reload();
          else this.#isReloadDue = true;
        },
        exit: (code, signal) => {
          this.#targets?.exit(code, signal);
          process.exit(code);
        },
      },
      this.#options.clock,
    );
  }

  /** The signal that has asked for the stop; null: none. */
  get stop(): NodeJS.Signals | null {
    return this.#stop;
  }

  /** For runners: passes on what has come, and all that will. */
  connect(targets: SignalTargets): void {
    this.#cancel();
    this.#targets = targets;
    if (this.#stop !== null) targets.shutdown(this.#stop);
    else if (this.#isReloadDue) targets.reload();
  }

  /** Leaves the signals to others. */
  release(): void {
    this.#cancel();
    this.#disconnect();
  }

  #stopWithoutHost(signal: NodeJS.Signals): void {
    const { timeout: timeoutMs, logger, clock, onStop } = this.#options;
    harmless(logger).information(
      '{Signal}: the process ends as soon as the app is created, or after {TimeoutMs} ms; a second signal ends it at once',
      signal,
      timeoutMs,
    );
    this.#cancel = clock.after(timeoutMs, () => {
      process.stderr.write(
        `hostx: ${signal} came while the app was being created, and that did not end within ${timeoutMs} ms\n`,
      );
      process.exit(1);
    });
    onStop?.(signal);
  }
}
