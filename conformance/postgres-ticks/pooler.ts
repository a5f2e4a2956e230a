import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../tools/testing/free-port.js';
import { PGBOUNCER } from '../postgres-server.mjs';
import type { Postgres } from './server.js';

/** Fewer connections than there are replicas, so that each statement gets another one. */
const CONNECTIONS = 4;

/** PgBouncer in transaction mode in front of the database, which it asks again each second when that was away (not 15). */
export class Pooler {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  /** Resolves when it answers. */
  static async start({ url, folder, user }: Postgres): Promise<Pooler> {
    const port = await freePort();
    const { hostname, port: behind } = new URL(url);
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
postgres = host=${hostname} port=${behind} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 200
server_login_retry = 1
`,
    );
    const child = spawn(PGBOUNCER, [file], { ...user, stdio: 'ignore', cwd: folder });
    const pooler = new Pooler(`postgres://postgres@127.0.0.1:${port}/postgres`, child);
    while (!(await pooler.#answers())) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      await sleep(100);
    }
    return pooler;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url });
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
