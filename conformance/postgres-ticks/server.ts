import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../tools/testing/free-port.js';
import { postgresPrograms } from '../postgres-server.mjs';

/** A PostgreSQL of its own, which can be stopped and started again. */
export class Postgres {
  readonly url: string;
  readonly folder: string;
  readonly #port: number;
  readonly #programs = postgresPrograms()!;
  /** Whose programs they are: PostgreSQL refuses to run as root. */
  readonly user: { readonly uid?: number; readonly gid?: number };
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.#port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.folder = mkdtempSync(join(tmpdir(), 'apix-postgres-'));
    this.user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
    if (this.user.uid !== undefined) chownSync(this.folder, this.user.uid, this.user.gid!);
    execFileSync(
      join(this.#programs, 'initdb'),
      ['-D', this.folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
      { ...this.user, stdio: 'pipe', cwd: this.folder },
    );
  }

  static async create(): Promise<Postgres> {
    return new Postgres(await freePort());
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const args = ['-D', this.folder, '-p', String(this.#port), '-k', this.folder];
    this.#process = spawn(
      join(this.#programs, 'postgres'),
      [...args, '-c', 'listen_addresses=127.0.0.1'],
      { ...this.user, stdio: 'ignore', cwd: this.folder },
    );
    while (!(await this.#answers())) await sleep(100);
  }

  /** Ends all connections, as `systemctl restart` does. */
  async stop(): Promise<void> {
    if (this.#process === null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGINT');
    await ended;
    this.#process = null;
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async #answers(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    );
  }
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
