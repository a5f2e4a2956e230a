import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Binaries {
  readonly prometheus: string;
  readonly promtool: string;
}

/** One series of an answer. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Target {
  readonly job: string;
  readonly health: string;
  readonly lastError: string;
}

/**
 * Debian's Prometheus: the installed one, or its package unpacked into `folder`, which installs
 * nothing and needs no root where apt's lists are there already.
 */
export function findPrometheus(folder: string): Binaries {
  if (existsSync('/usr/bin/prometheus')) return binariesIn('/usr/bin');
  const apt = (...args: string[]): void => {
    execFileSync('apt-get', ['-q', ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  try {
    apt('download', 'prometheus');
  } catch {
    apt('update');
    apt('download', 'prometheus');
  }
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  execFileSync('dpkg-deb', ['-x', join(folder, archive!), folder]);
  return binariesIn(join(folder, 'usr/bin'));
}

function binariesIn(folder: string): Binaries {
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
}

/** A Prometheus that scrapes each job five times a second. */
export class Prometheus {
  private constructor(
    private readonly process: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(
    { prometheus }: Binaries,
    folder: string,
    port: number,
    jobs: Readonly<Record<string, string>>,
  ): Promise<Prometheus> {
    const config = join(folder, 'prometheus.yml');
    const scrapes = Object.entries(jobs).map(
      ([job, target]) => `  - job_name: ${job}\n    static_configs: [{ targets: ['${target}'] }]\n`,
    );
    const timing = 'global: { scrape_interval: 200ms, scrape_timeout: 200ms }\n';
    writeFileSync(config, `${timing}scrape_configs:\n${scrapes.join('')}`);
    const child = spawn(
      prometheus,
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const url = `http://127.0.0.1:${port}`;
    const own = new Prometheus(child, url);
    await until('Prometheus is ready', async () => (await fetch(`${url}/-/ready`)).ok);
    return own;
  }

  async query(query: string): Promise<Series[]> {
    const data = (await this.#get(`query?query=${encodeURIComponent(query)}`)) as {
      readonly result: { metric: Record<string, string>; value: [number, string] }[];
    };
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  async targets(): Promise<Target[]> {
    const data = (await this.#get('targets?state=active')) as {
      readonly activeTargets: { labels: { job: string }; health: string; lastError: string }[];
    };
    return data.activeTargets.map(({ labels, health, lastError }) => ({
      job: labels.job,
      health,
      lastError,
    }));
  }

  /** The types that the scraped pages declared. */
  async types(): Promise<Record<string, string>> {
    const data = (await this.#get('metadata')) as Record<string, { type: string }[]>;
    return Object.fromEntries(Object.entries(data).map(([name, [one]]) => [name, one!.type]));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
  }

  async #get(path: string): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly data: unknown }).data;
  }
}

/** Asks again and again until the answer is yes; an error is a no. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  let last: unknown;
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    try {
      if (await isSo()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${what}: not within 20 s`, { cause: last });
}
