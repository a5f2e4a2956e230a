import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const APP = fileURLToPath(new URL('app.mjs', import.meta.url));
const START_MS = 60_000;

/** Which implementation of gRPC carries the calls of a process. */
export type Stack = 'grpc-js' | 'http2';

/** One of the processes, and the one that it calls. */
export interface HopStart {
  readonly name: 'A' | 'B' | 'C';
  /** Default: a free one. */
  readonly port?: number;
  /** Port of the one that it calls. Default: it calls none. */
  readonly next?: number;
  readonly stack?: Stack;
  /** Called with each id that the last process has had. */
  readonly had?: (id: string) => void;
}

/** One of the processes. */
export class Hop {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
  ) {}

  static async start({ name, port = 0, next = 0, stack, had }: HopStart): Promise<Hop> {
    const child = spawn(process.execPath, [APP, name, `${port}`, `${next}`, stack ?? 'grpc-js'], {
      env: { ...process.env, NODE_OPTIONS: '', APP_ENVIRONMENT: 'Production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ready = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`${name} did not start in time`)), START_MS).unref();
      child.once('exit', (code) => reject(new Error(`${name} ended with ${code} at its start`)));
      createInterface(child.stdout).on('line', (line) => {
        const [word, value = ''] = line.split(' ');
        if (word === 'ready') resolve(Number(value));
        if (word === 'had') had?.(value);
      });
    });
    return new Hop(await ready, child);
  }

  /** Resolves when the process is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}
