import type { MetricReading } from '@apix/contracts';
import { choice, FLAG, type OptionTable, withDefault } from '@apix/contracts/internal';
import type { Environment } from '../environment.js';
import type { HeldSignals } from './signals.js';
import type { HostStatus } from '../state/transitions.js';

/** What `run` does about uncaught errors, anywhere in the process. */
export type UncaughtPolicy = 'stop' | 'report' | 'ignore';

export interface RunOptions {
  /**
   * `stop`: report, stop in order, and reject with the error; `report`: log it (to stderr without a logger)
   * and continue; `ignore`: leave them to Node. Default: 'stop'.
   */
  readonly uncaught?: UncaughtPolicy;
  /**
   * Whether signals are the host's business, and the end of a process in which something had to
   * be abandoned. Default: true.
   */
  readonly signals?: boolean;
  /** Whether the process stays alive for the run; it always does for the stop. Default: true. */
  readonly keepAlive?: boolean;
}

/** The allowed values of what is done about uncaught errors. */
export const UNCAUGHT = choice<UncaughtPolicy>(['stop', 'report', 'ignore']);

/** The allowed values of the options of a run. */
export const RUN_OPTIONS = {
  uncaught: withDefault(UNCAUGHT, 'stop'),
  signals: withDefault(FLAG, true),
  keepAlive: withDefault(FLAG, true),
} satisfies OptionTable<RunOptions>;

export interface ShutdownOptions {
  /**
   * Why no load balancer has to remove the instance first, such as `SIGINT from a terminal`, for the log:
   * transports skip their drain delay. Default: they keep serving for it.
   */
  readonly withoutDelay?: string | undefined;
}

/** A built host. It runs once. */
export interface Host {
  /**
   * Runs until shutdown: SIGINT, SIGTERM, {@link shutdown} or a failure. SIGHUP reloads, or shuts
   * down where the terminal of the start is gone, except
   * on Windows. A further SIGINT or SIGTERM ends the process at once; signals repeated within
   * one second count as one.
   *
   * Rejects with what went wrong, joined where it is several errors. When a service had to be
   * abandoned, whatever it holds cannot keep the process: it exits a second later. Rejects at once for
   * wrong options.
   */
  run(options?: RunOptions): Promise<void>;
  /** The same without signal handlers; aborting `signal` triggers the shutdown. */
  runContext(signal?: AbortSignal): Promise<void>;
  /**
   * For runners: lets signals stop and reload the host, until the returned function is called. A second
   * signal ends the process, with a line in the log that names what had not stopped.
   *
   * @param onStop called before the shutdown that a signal asks for.
   */
  followSignals(signals: HeldSignals, onStop?: (signal: NodeJS.Signals) => void): () => void;
  /** Begins the shutdown and returns at once; from anywhere, any time, any number of times. */
  shutdown(reason?: string, options?: ShutdownOptions): void;
  /**
   * Runs the reload hooks, all of them, after an earlier reload has finished; while starting it
   * waits for the start, and when the host does not run it does nothing. Rejects with the errors
   * of the hooks, which change nothing else; a caller that does not look is not punished.
   */
  reload(): Promise<void>;
  /**
   * Stops one service within its stop timeout, or else the shutdown timeout, and starts it again; one in backoff is
   * started at once. Resolves when it is ready. This is no failure: it is counted apart, and the attempts of its
   * restart policy begin again. The services that wait for it at the start continue to run. A service that does not
   * stop in time is abandoned, and the host stops.
   *
   * Rejects without a service of this name, for a transport, unless the host runs and the service is ready or in
   * backoff, if the service ends before it is ready, and if the host stops meanwhile. Do not await it inside the
   * service, whose stop waits for that.
   */
  restartService(name: string): Promise<void>;
  /** True once everything is started; false when the run ends without having got there. */
  readonly started: Promise<boolean>;
  /** Milliseconds; caps the entire teardown. */
  readonly shutdownTimeout: number;
  /** Milliseconds; caps the whole start. Infinity: nothing does. */
  readonly bootTimeout: number;
  /** Whether {@link run} was called with the process's signals, so that its end is the host's too. */
  readonly ownsProcess: boolean;
  readonly environment: Environment;
  readonly state: HostStatus;
  /**
   * Figures of this moment: whether it is up, the restarts of its services, connections and requests
   * of its HTTP services. With HostxModule they are among the metrics of the app already.
   */
  metrics(): Iterable<MetricReading>;
}
