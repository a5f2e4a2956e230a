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
import { readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { mistakesIn } from '../errors.js';
import { type HostLogger, harmless, silentLogger } from '../log/host-logger.js';

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

/** The part of `process` that signals and orders of its manager come through. */
export type SignalSource = MessageSource & {
  readonly platform: string;
  emit(signal: NodeJS.Signals, name: NodeJS.Signals): unknown;
  prependListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
};

export interface SignalTargets {
  shutdown(signal: NodeJS.Signals): void;
  reload(): void;
  /** Ends the process at once. */
  exit(code: number, signal: NodeJS.Signals): void;
}

/** Supervisors, terminals and npm send the same signal twice; within this time it is one. */
const REPEAT_MS = 1_000;

/**
 * Connects the process's signals to a host. SIGHUP reloads it, or stops it where the terminal of its start is
 * gone. A manager's message is a SIGTERM, for the other listeners of that signal too. The returned function takes
 * them off again.
 */
export function connectSignals(
  source: SignalSource,
  targets: SignalTargets,
  clock: Clock,
  terminal: StartTerminal = startTerminal(),
): () => void {
  let last: number | null = null;
  let isAsked = false;
  let isAsking = false;
  const onStop = (signal: NodeJS.Signals): void => {
    const now = clock.now();
    const repeated = last !== null && now - last < REPEAT_MS;
    if (last === null) {
      if (!isAsked || isAsking) targets.shutdown(signal);
    } else if (!repeated) targets.exit(128 + constants.signals[signal], signal);
    // A manager that has sent a message may send a signal after it, which is no second request.
    if (!repeated && !isAsking) last = now;
  };
  const onMessage = (): void => {
    if (isAsked || last !== null) return;
    isAsked = true;
    isAsking = true;
    source.emit('SIGTERM', 'SIGTERM');
    isAsking = false;
  };
  // Why: docs/decisions/0279
  const onHangup = (): void => {
    if (!terminal.isGone()) return targets.reload();
    terminal.leave();
    if (last === null) onStop('SIGHUP');
  };
  const listeners: [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [
    ['SIGINT', onStop],
    ['SIGTERM', onStop],
  ];
  if (source.platform !== 'win32') listeners.push(['SIGHUP', onHangup]);
  // Before those of the app, which may be there once and gone when they run.
  for (const [signal, listener] of listeners) source.prependListener(signal, listener);
  const offMessages = onManagerStop(source, onMessage);
  return () => {
    offMessages();
    for (const [signal, listener] of listeners) source.off(signal, listener);
    // A process of another session gets no SIGHUP.
    if (source.platform !== 'win32' && terminal.isGone()) terminal.leave();
  };
}

/** The terminal that a process was started at. */
export interface StartTerminal {
  /** Whether it has been closed. False if there was none. */
  isGone(): boolean;
  /** Makes the process fit to go on and to end without it. */
  leave(): void;
}

/** The terminal behind the standard descriptors, as it is now: to be called at the start. */
export function startTerminal(isTerminal: (fd: number) => boolean = isatty): StartTerminal {
  const terminals = [0, 1, 2].filter(isTerminal);
  let hasLeft = false;
  return {
    // The system makes descriptors of a terminal dead ones before it sends SIGHUP.
    isGone: () => terminals.length > 0 && !terminals.some(isTerminal),
    leave() {
      if (!hasLeft) leaveTerminal();
      hasLeft = true;
    },
  };
}

/**
 * Prepares a process to stop without its terminal. Later writes to the terminal fail without consequence;
 * and the process ends by SIGHUP, like one that does not listen to it, once all exit handlers have run:
 * Node 20 aborts with a core dump when it resets a terminal that is gone.
 */
function leaveTerminal(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    try {
      process[name].on('error', () => {});
    } catch {
      // Node creates the stream now, and may refuse the closed terminal.
    }
  }
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}

/** The part of `process` through which a process manager sends messages. */
export interface MessageSource {
  readonly ppid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined without a channel to the parent. */
  readonly send?: unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * Calls `stop` for the message `shutdown` of PM2, which it sends with `shutdown_with_message` instead of a
 * signal. Does nothing if the parent of the process is not PM2 itself: a channel to any other parent, also to
 * an app that runs under PM2, has messages of its own. The returned function ends it.
 */
function onManagerStop(source: MessageSource, stop: () => void): () => void {
  // Why: docs/decisions/0279
  if (source.send === undefined || !isStartedByPm2(source)) return () => {};
  const listener = (message: unknown): void => {
    if (message === 'shutdown') stop();
  };
  source.on('message', listener);
  return () => void source.off('message', listener);
}

/** PM2 says which of its apps a process is, and children of the app inherit that. */
function isStartedByPm2({ env, ppid }: MessageSource): boolean {
  if (env['pm_id'] === undefined) return false;
  const home = env['PM2_HOME'] || join(homedir(), '.pm2');
  try {
    return Number(readFileSync(join(home, 'pm2.pid'), 'utf8')) === ppid;
  } catch {
    return false;
  }
}
