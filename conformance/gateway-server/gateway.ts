import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from './places.js';

/** How long anything may take that is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** How a process has ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The installed command as a process. */
export class GatewayCommand {
  out = '';
  err = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor({ installed, folder }: Places, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const main = join(installed, 'node_modules/.bin/apix-gateway');
    this.#child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    createInterface({ input: this.#child.stdout! }).on('line', (line) => (this.out += `${line}\n`));
    this.#child.stderr!.on('data', (data: Buffer) => (this.err += data.toString()));
  }

  /** Runs it to its end. */
  static async run(
    places: Places,
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<Ended> {
    return new GatewayCommand(places, args, env).ended();
  }

  /** Serves on a port of its own without a delay at the end, unless the options say otherwise. */
  static async serve(places: Places, args: readonly string[], env?: NodeJS.ProcessEnv) {
    const options = ['--listen', '127.0.0.1:0', '--log-level', 'debug'];
    const delay = args.includes('--drain-delay') ? [] : ['--drain-delay', '0'];
    const command = new GatewayCommand(places, [...options, ...delay, ...args], env);
    const [, url = ''] = await command.said(/"message":"listening on (\S+?)"/);
    return { command, url };
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits for something in its log. @throws Error when it ends before, or does not come in time. */
  async said(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = pattern.exec(this.out.slice(from));
      if (found !== null) return found;
      if (!this.isRunning || Date.now() > deadline) {
        throw new Error(`the gateway did not say ${pattern}:\n${this.out}${this.err}`);
      }
      await sleep(20);
    }
  }

  async ended(): Promise<Ended> {
    await this.#closed;
    const { exitCode: code } = this.#child;
    return { code, out: this.out, err: this.err };
  }

  /** Stops it as an operator does. */
  async stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Waits until a URL answers with a status. */
export async function untilStatus(url: string, status: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === status) return;
    if (Date.now() > deadline) throw new Error(`${url} never answered ${status}`);
    await sleep(50);
  }
}
