import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { runProcesses } from '@apix/hostx/processes';

/**
 * An app in two processes: `start.mjs <platform> host <drain delay in ms> <way>`. SIGUSR2 replaces its
 * processes one after the other, in each of the ways.
 */
const PROCESSES = 2;
const [platform, , , way] = process.argv.slice(2);
/** The bundle of the app next to this one. */
const app = new URL(platform === 'counting' ? 'counting-app.mjs' : 'app.mjs', import.meta.url).href;
const load = (): Promise<unknown> => import(app);

/** What is written again and again for the cluster module of Node: its own round robin, and a rolling restart. */
async function runCluster(): Promise<void> {
  if (!cluster.isPrimary) return void (await load());
  const fork = async (): Promise<Worker> => {
    const worker = cluster.fork();
    await once(worker, 'listening');
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: PROCESSES }, fork));
  const roll = async (): Promise<void> => {
    for (const [at, old] of workers.entries()) {
      workers[at] = await fork();
      old.process.kill('SIGTERM');
      await once(old, 'exit');
    }
  };
  process.on('SIGUSR2', () => void roll());
  process.once('SIGTERM', () => {
    for (const worker of workers) worker.process.kill('SIGTERM');
  });
}

if (way === 'cluster') await runCluster();
else await runProcesses({ count: PROCESSES, restart: { initialDelay: 50 } }, load);
