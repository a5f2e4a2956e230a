import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ports } from './ports.js';

/** How long an instance may take, in milliseconds. */
const PATIENCE_MS = { start: 60_000, stop: 5_000 } as const;

/** Those that run; a failure of the test must not leave them behind, as they hold its output. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** What is started for each instance. */
export interface Kind {
  readonly platform: string;
  readonly mode: 'host' | 'stock';
  readonly drainMs: number;
}

/** One process of the service under test. */
export class Instance {
  readonly ports: Ports;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ports: Ports) {
    this.#child = child;
    this.ports = ports;
  }

  /** @param sockets bound sockets that the instance serves, as with socket activation. */
  static async start(kind: Kind, sockets?: Readonly<Record<string, number>>): Promise<Instance> {
    const app = fileURLToPath(new URL('app.mjs', import.meta.url));
    const args = [app, kind.platform, kind.mode, String(kind.drainMs)];
    const env = { ...process.env, NODE_OPTIONS: '', APP_ENVIRONMENT: 'Production' };
    // LISTEN_PID is only known after the fork, so that a shell has to set it, as systemd would.
    const child =
      sockets === undefined
        ? spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
        : spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, ...args], {
            env: {
              ...env,
              LISTEN_FDS: String(Object.keys(sockets).length),
              LISTEN_FDNAMES: Object.keys(sockets).join(':'),
            },
            stdio: ['ignore', 'pipe', 'inherit', ...Object.values(sockets)],
          });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const ports = await within<Ports>('start', child, (resolve) => {
      child.stdout!.on('data', (data: Buffer) => {
        const said = /ready (\d+) (\d+)/.exec(String(data));
        const isTls = kind.platform === 'h2';
        if (said !== null) resolve({ http: Number(said[1]), grpc: Number(said[2]), isTls });
      });
    });
    return new Instance(child, ports);
  }

  /** Sends SIGTERM; resolves with how the process ended: its exit code, or the signal. */
  async stop(): Promise<string> {
    const ended = within<string>('stop', this.#child, (resolve) =>
      this.#child.once('exit', (code, signal) => resolve(String(code ?? signal))),
    );
    this.#child.kill('SIGTERM');
    return ended.catch(() => 'killed after hanging');
  }
}

async function within<T>(
  what: keyof typeof PATIENCE_MS,
  child: ChildProcess,
  work: (resolve: (value: T) => void) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`instance ${child.pid} did not ${what} in time`));
      }, PATIENCE_MS[what]);
      work(resolve);
      if (what === 'start') {
        child.once('exit', (code) => reject(new Error(`instance ended with ${code} at its start`)));
      }
    });
  } finally {
    clearTimeout(timer);
  }
}
