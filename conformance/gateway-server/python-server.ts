import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Places } from './places.js';

/** See server.py. */
export interface PythonSettings {
  readonly port?: number;
  readonly reflection?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** The Python server as a process. */
export class PythonServer {
  /** Methods that were called, health checks left out. */
  readonly calls: string[] = [];

  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start({ sets }: Places, settings: PythonSettings = {}): Promise<PythonServer> {
    const script = join('conformance/gateway-server', 'server.py');
    const args = ['-B', script, sets.server, sets.python, JSON.stringify(settings)];
    const child = spawn('/usr/bin/python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, 'line')) as [string];
    const server = new PythonServer(Number(/^ready (\d+)$/.exec(first)![1]), child);
    lines.on('line', (line: string) => {
      const [, method] = /^called (garden\S+)$/.exec(line) ?? [];
      if (method !== undefined) server.calls.push(method);
    });
    return server;
  }

  get #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Lets calls end that are under way. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const exit = once(this.child, 'exit');
    this.child.stdin!.end();
    await exit;
  }

  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}
