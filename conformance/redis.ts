import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../tools/testing/free-port.js';

/** A redis-server of its own, which can be stopped and started again. */
export class Redis {
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async create(): Promise<Redis> {
    return new Redis(await freePort());
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1'];
    this.#process = spawn('redis-server', [...args, '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    while (!(await this.#answers())) await sleep(50);
  }

  async stop(): Promise<void> {
    if (this.#process === null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    this.#process = null;
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
