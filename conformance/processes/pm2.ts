import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ports } from '../drain/ports.js';
import { Manager } from '../pm2/manager.js';
import type { ParentOptions } from './parent.js';
import { type Subject, type Usage, usageOf } from './subject.js';

const NAME = 'site';

/** An app in the cluster mode of PM2, as docs/recipes/pm2.md has it. */
export class Pm2 implements Subject {
  readonly #manager: Manager;
  readonly #home: string;
  readonly #pid: number;
  readonly ports: Ports;

  private constructor(manager: Manager, home: string, pid: number, ports: Ports) {
    this.#manager = manager;
    this.#home = home;
    this.#pid = pid;
    this.ports = ports;
  }

  static async start({ platform, drainMs, count = 2 }: ParentOptions): Promise<Pm2> {
    // Its socket has a short path.
    const home = await mkdtemp(join(tmpdir(), 'apix-pm2-'));
    const bin = new URL('../../../../conformance/pm2/node_modules/pm2/bin/pm2', import.meta.url);
    const app = {
      name: NAME,
      script: fileURLToPath(new URL('start.mjs', import.meta.url)),
      args: [platform, 'host', String(drainMs), 'pm2', String(count)],
      exec_mode: 'cluster',
      instances: count,
      wait_ready: true,
      listen_timeout: 60_000,
      kill_timeout: 25_000,
      merge_logs: true,
      out_file: join(home, 'out.log'),
      env: { APP_ENVIRONMENT: 'Production' },
    };
    const file = join(home, 'site.config.cjs');
    await writeFile(file, `module.exports = ${JSON.stringify({ apps: [app] })};`);
    const manager = new Manager(fileURLToPath(bin), home, home, {});
    await manager.command('start', file);
    const out = await readFile(app.out_file, 'utf8');
    const http = Number(/ready (\d+) 0/.exec(out)![1]);
    const pid = Number(await readFile(join(home, 'pm2.pid'), 'utf8'));
    return new Pm2(manager, home, pid, { http, grpc: 0 });
  }

  get usage(): Usage {
    return usageOf(this.#pid);
  }

  async restart(): Promise<void> {
    await this.#manager.command('reload', NAME);
  }

  async stop(): Promise<string> {
    await this.#manager.command('stop', NAME);
    const exits = await this.#manager.exits();
    await this.#manager.command('kill');
    await rm(this.#home, { recursive: true, force: true });
    return exits.every((exit) => exit.startsWith('exited with code [0] ')) ? '0' : exits.join();
  }
}
