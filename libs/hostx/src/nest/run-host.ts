import { parseDuration } from '@apix/contracts';
import { exitWhenHeldUp } from '../host/process-host.js';
import { DEFAULT_LINGER } from './hostx-options.js';
import { type RootModule, type RunHostOptions, openApp } from './open-app.js';

/**
 * The whole of a main.ts: creates the app, runs tasks, services, gRPC and HTTP in order until a
 * signal, `HostRef.shutdown()` or a failure, and stops everything in reverse. Options given here
 * take precedence over those of `HostxModule`.
 *
 * Resolves when everything has stopped; rejects with what went wrong, naming the culprit, and
 * sets the exit code 1. The process ends within `linger` whatever holds it, also where the
 * rejection is caught: nothing of the app is left to serve anything.
 */
export async function runHost(module: RootModule, options: RunHostOptions = {}): Promise<void> {
  let { linger = DEFAULT_LINGER } = options;
  let isOurs = true;
  try {
    const open = await openApp(module, options);
    linger = open.options.linger ?? DEFAULT_LINGER;
    isOurs = false;
    const { uncaught, run } = open.options;
    try {
      if (run === undefined) await open.host.run(uncaught === undefined ? {} : { uncaught });
      else await run(open.host);
    } finally {
      isOurs = open.host.ownsProcess;
    }
    if (isOurs) endProcess(linger, 0);
  } catch (error) {
    if (isOurs) endProcess(linger, 1);
    throw error;
  }
}

function endProcess(linger: NonNullable<RunHostOptions['linger']>, code: number): void {
  if (linger === false) return;
  if (code !== 0) process.exitCode ??= code;
  exitWhenHeldUp(lingerMs(linger), code);
}

/** A linger that is not a duration is one of the mistakes that the app was refused for. */
function lingerMs(linger: Exclude<RunHostOptions['linger'], false | undefined>): number {
  try {
    return parseDuration(linger);
  } catch {
    return parseDuration(DEFAULT_LINGER);
  }
}
