import { type ChildProcess, fork } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { Server } from 'node:net';
import { freePort } from '../../tools/testing/free-port.js';
import { runProcesses } from '@apix/hostx/processes';

/**
 * An app in several processes: `start.mjs <platform> host <drain delay in ms> <way> <count>`. SIGUSR2 replaces its
 * processes one after the other, in each of the ways but that of PM2, which has a command for it.
 */
const [platform, , , way, processes] = process.argv.slice(2);
const PROCESSES = Number(processes);
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

/** A process that listens by itself on the port that all others listen on as well, each with a queue of its own. */
function listenWithReusePort(port: number): void {
  const { prototype } = Server;
  const listen = Reflect.get(prototype, 'listen') as (...args: unknown[]) => Server;
  Reflect.set(prototype, 'listen', function (this: Server, where: object, ...rest: unknown[]) {
    return Reflect.apply(listen, this, [{ ...where, port, reusePort: true }, ...rest]);
  });
}

/** The same rolling restart for processes that each have a socket of their own. */
async function runReusePort(): Promise<void> {
  const shared = process.env['SHARED_PORT'];
  if (shared !== undefined) {
    listenWithReusePort(Number(shared));
    return void (await load());
  }
  const env = { ...process.env, SHARED_PORT: String(await freePort()) };
  const start = async (): Promise<ChildProcess> => {
    const child = fork(process.argv[1]!, process.argv.slice(2), {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    await new Promise<void>((resolve) => {
      child.stdout!.on('data', (data: Buffer) => {
        process.stdout.write(data);
        if (String(data).includes('ready ')) resolve();
      });
    });
    return child;
  };
  const children = await Promise.all(Array.from({ length: PROCESSES }, start));
  const roll = async (): Promise<void> => {
    for (const [at, old] of children.entries()) {
      children[at] = await start();
      old.kill('SIGTERM');
      await once(old, 'exit');
    }
  };
  process.on('SIGUSR2', () => void roll());
  process.once('SIGTERM', () => {
    for (const child of children) child.kill('SIGTERM');
  });
}

/** PM2 waits for a message of each process. */
async function runUnderPm2(): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text: string) => {
    if (text.startsWith('ready ')) process.send!('ready');
    return write(text);
  };
  await load();
}

if (way === 'cluster') await runCluster();
else if (way === 'reusePort') await runReusePort();
else if (way === 'pm2') await runUnderPm2();
else {
  process.env['GATEWAY_PORT'] ??= String(await freePort());
  // A process that is killed a hundred times would wait for a minute each time.
  const restart = { initialDelay: 50, maxDelay: 200 };
  await runProcesses({ count: PROCESSES, restart }, load);
}
