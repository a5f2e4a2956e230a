import { parseDuration } from '@apix/contracts';
import { exitWhenHeldUp } from '../host/process-host.js';
import { type RootModule, type RunHostOptions, openApp } from './open-app.js';

/**
 * The whole of a main.ts: creates the app, runs tasks, services, gRPC and HTTP in order until a
 * signal, `HostRef.shutdown()` or a failure, and stops everything in reverse. Options given here
 * win over those of `HostxModule`.
 *
 * Resolves when everything has stopped; rejects with what went wrong, naming the culprit, which
 * ends a process that does not catch it with exit code 1.
 */
export async function runHost(module: RootModule, options: RunHostOptions = {}): Promise<void> {
  const open = await openApp(module, options);
  const linger = open.options.linger ?? '1s';
  const lingerMs = linger === false ? null : parseDuration(linger);
  const { uncaught, run } = open.options;
  if (run === undefined) await open.host.run(uncaught === undefined ? {} : { uncaught });
  else await run(open.host);
  const endedBySignal = open.host.state.reason?.startsWith('SIG') === true;
  if (endedBySignal && lingerMs !== null) exitWhenHeldUp(lingerMs, 0);
}
