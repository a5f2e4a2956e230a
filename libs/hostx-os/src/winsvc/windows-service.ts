import {
  type Clock,
  type Duration,
  OptionsError,
  parseDuration,
  systemClock,
} from '@apix/contracts';
import {
  checkedOptions,
  CLOCK,
  duration,
  type OptionTable,
  withDefault,
} from '@apix/contracts/internal';
import type { Host, HostBuilder, HostPhase } from '@apix/hostx/core';
import { OsError } from '../errors.js';
import { DEFAULT_START_LIMIT } from '../start-limit.js';
import { reportError } from './event-log.js';
import { HeldOrders } from './held-orders.js';
import { CONTROL, ERROR_CALL_NOT_IMPLEMENTED, NO_ERROR } from './service-control.js';
import { isStartedByManager } from './started-by-manager.js';
import { StatusReporter } from './status-reporter.js';
import { windowsApi } from './windows-api.js';

/** The parts that make a host a Windows service; both are options of `runHost` too. */
export interface WindowsService {
  /** False where the process was not started by the service control manager. */
  readonly isService: boolean;
  /**
   * Resolves once the manager knows that the start is in progress; already resolved on other systems. Await
   * it before the rest of the app is loaded: from Node 22 on, loading takes no turn of the event loop, and
   * nothing is reported until it ends.
   */
  readonly announced: Promise<void>;
  /** Reports the phases of the host. */
  readonly extend: (builder: HostBuilder) => void;
  /** Runs the host under the service control protocol, or plainly. */
  readonly run: (host: Host) => Promise<void>;
}

export interface WindowsServiceOptions {
  /**
   * For how long a start without `bootTimeout` reports progress to the manager; after that it counts as
   * hung. Default: '10m'.
   */
  readonly extendStartFor?: Duration;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

const SERVICE_OPTIONS = {
  extendStartFor: withDefault(duration({ min: 1 }), parseDuration(DEFAULT_START_LIMIT)),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<WindowsServiceOptions>;

/**
 * Begins to speak the service control protocol, so call it before anything that takes time: the
 * manager gives a process 30 seconds to be heard of. Elsewhere it does nothing.
 *
 * @param name the name under which the service was installed.
 * @throws OptionsError for a wrong option, on every system.
 */
export function windowsService(name: string, options: WindowsServiceOptions = {}): WindowsService {
  const { clock, extendStartFor } = checkedOptions(
    SERVICE_OPTIONS,
    options,
    (found) => new OptionsError('hostx-os: Windows service', found),
  );
  let startLimitMs = extendStartFor;
  if (!isStartedByManager()) {
    return {
      isService: false,
      announced: Promise.resolve(),
      extend: () => {},
      run: (host) => host.run(),
    };
  }
  const api = windowsApi();
  let reporter: StatusReporter | undefined;
  let host: Host | undefined;
  const orders = new HeldOrders((error) => reportError(name, error));
  const control = (code: number): number => {
    switch (code) {
      case CONTROL.STOP:
      case CONTROL.SHUTDOWN:
        orders.stop(code === CONTROL.STOP ? 'service stop' : 'system shutdown');
        return NO_ERROR;
      case CONTROL.PARAMCHANGE:
        orders.reload();
        return NO_ERROR;
      case CONTROL.INTERROGATE:
        return NO_ERROR;
      default:
        return ERROR_CALL_NOT_IMPLEMENTED;
    }
  };

  let announce = (): void => {};
  const announced = new Promise<void>((resolve) => (announce = resolve));
  const dispatched = api.dispatch(name, () => {
    const handle = api.registerHandler(name, control);
    if (handle === null) throw new OsError(`cannot register ${name}`, api.GetLastError());
    reporter = new StatusReporter((status) => api.SetServiceStatus(handle, status), clock);
    // The manager's thread gets its answer first.
    setImmediate(() => {
      reporter?.starting(startLimitMs);
      announce();
    });
  });
  // A failure of the dispatcher is not reported here; `run` rejects with it.
  dispatched.then(announce, announce);
  // An app may fail before its host runs, and its failure must be reported.
  const onFatal = (error: Error): void => {
    if (process.listenerCount('uncaughtException') > 0) return;
    reportError(name, error);
    reporter?.stopped(1);
  };
  process.on('uncaughtExceptionMonitor', onFatal);
  const report = (phase: HostPhase): void => {
    if (phase === 'running') reporter?.running();
    if (phase === 'stopping') reporter?.stopping(host?.shutdownTimeout ?? 0);
  };
  return {
    isService: true,
    // Why: docs/decisions/0243
    announced,
    extend: (builder) => {
      builder.withObserver({
        hostPhaseChanged: ({ to }) => report(to),
        serviceFailed: ({ error }) => reportError(name, error),
        serviceAbandoned: ({ service }) =>
          reportError(name, new OsError(`service ${service} did not stop in time`)),
      });
    },
    async run(built) {
      host = built;
      // A boot timeout ends a start itself.
      if (built.bootTimeout !== Infinity) {
        startLimitMs = Infinity;
        reporter?.starting(startLimitMs);
      }
      orders.passTo(built);
      let exitCode = 0;
      try {
        await host.run();
      } catch (error) {
        exitCode = 1;
        reportError(name, error);
        throw error;
      } finally {
        process.off('uncaughtExceptionMonitor', onFatal);
        // With an exit code the recovery of the service takes over, such as a restart.
        reporter?.stopped(exitCode);
        await dispatched;
      }
    },
  };
}
