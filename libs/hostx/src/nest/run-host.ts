import { setFlagsFromString } from 'node:v8';
import { type Duration, parseDuration } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import { DEFAULT_SHUTDOWN_TIMEOUT, holdSignals } from '../host/signals.js';
import { exitWhenHeldUp } from '../host/process-host.js';
import { nestLogger } from '../log/adapters.js';
import { parentLink } from '../processes/parent-link.js';
import { resolveProcesses } from '../processes/processes-options.js';
import { superviseProcesses } from '../processes/supervise.js';
import { DEFAULT_LINGER } from './hostx-options.js';
import { type RootModule, type RunHostOptions, openApp } from './open-app.js';

/**
 * The whole of a main.ts: creates the app, runs tasks, services, gRPC and HTTP in order until a
 * signal, `HostRef.shutdown()` or a failure, and stops everything in reverse. Options given here
 * take precedence over those of `HostxModule`.
 *
 * Signals count from the call on. One that comes while the app is being created stops it when that is done;
 * with a promise as the module, such as `import('./app.module.js').then(({ AppModule }) => AppModule)`, that
 * includes loading it.
 *
 * With several `processes` this one is their parent: it does not create the app, but has loaded it already where
 * the main imports it; `runProcesses` of `@apix/hostx/processes` avoids that.
 *
 * Resolves when everything has stopped; rejects with what went wrong, naming the culprit, and
 * sets the exit code 1. The process ends within `linger` whatever holds it, also where the
 * rejection is caught: nothing of the app is left to serve anything.
 *
 * Switches V8's `--allocation-site-pretenuring` off, unless the command line of the process names that flag.
 */
export async function runHost(module: RootModule, options: RunHostOptions = {}): Promise<void> {
  keepRequestsYoung();
  let { linger = DEFAULT_LINGER } = options;
  let isOurs = true;
  // Why: docs/decisions/0279
  const link = parentLink();
  const logger = options.logger === null ? null : (options.logger ?? nestLogger(new Logger()));
  const signals = holdSignals({
    timeout: validOr(DEFAULT_SHUTDOWN_TIMEOUT, options.shutdownTimeout, 1),
    logger: logger ?? undefined,
  });
  try {
    const processes = link === null ? resolveProcesses(options.processes) : null;
    if (processes !== null && processes.count > 1) {
      await superviseProcesses(processes, { signals, logger, run: options.run });
      return endProcess(linger, 0);
    }
    const open = await openApp(module, options, signals);
    linger = open.options.linger ?? DEFAULT_LINGER;
    isOurs = false;
    const { uncaught, run } = open.options;
    try {
      // Orders to one of several processes come from its parent.
      if (run === undefined || link !== null)
        await open.host.run(uncaught === undefined ? {} : { uncaught });
      else await run(open.host);
    } finally {
      isOurs = open.host.ownsProcess;
    }
    if (isOurs) endProcess(linger, 0);
  } catch (error) {
    if (isOurs) endProcess(linger, 1);
    throw error;
  } finally {
    signals.release();
  }
}

/**
 * Otherwise V8 takes objects of requests for ones that stay, because many requests are under way whenever it
 * collects, and creates them where they keep all that they refer to for seconds.
 */
// Why: docs/decisions/0569
function keepRequestsYoung(): void {
  if (process.execArgv.some((arg) => /allocation[-_]site[-_]pretenuring/.test(arg))) return;
  setFlagsFromString('--no-allocation-site-pretenuring');
}

function endProcess(linger: NonNullable<RunHostOptions['linger']>, code: number): void {
  if (linger === false) return;
  if (code !== 0) process.exitCode ??= code;
  exitWhenHeldUp(parseDuration(validOr(DEFAULT_LINGER, linger, 0)), code);
}

/** An option that is not a duration is one of the mistakes that the app is refused for. */
function validOr(byDefault: Duration, option: Duration | undefined, minMs: number): Duration {
  try {
    return option !== undefined && parseDuration(option) >= minMs ? option : byDefault;
  } catch {
    return byDefault;
  }
}
