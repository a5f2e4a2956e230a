import { parentLink } from './parent-link.js';
import { type ProcessCount, type ProcessesOptions, resolveProcesses } from './processes-options.js';
import { superviseProcesses } from './supervise.js';

/**
 * The whole of a main.ts for an app in several processes: this process, the parent, does not load the app. In
 * each other process `load` is called, which imports the file that calls `runHost`:
 *
 * `await runProcesses('cores', () => import('./app.js'));`
 *
 * The variable APP_PROCESSES takes precedence over the count. Resolves when everything has stopped; rejects with
 * what went wrong.
 */
export async function runProcesses(
  processes: ProcessCount | ProcessesOptions,
  load: () => Promise<unknown>,
): Promise<void> {
  if (parentLink() !== null) return void (await load());
  const settings = resolveProcesses(processes);
  if (settings === null || settings.count === 1) return void (await load());
  await superviseProcesses(settings);
}
