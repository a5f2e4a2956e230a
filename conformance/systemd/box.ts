import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHE = '/var/cache/apix';
const BOOT_MS = 60_000;
const COMMAND_MS = 60_000;

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly ms: number;
}

/** A running systemd in a Debian of its own. */
export interface Box {
  /** Such as 252. */
  readonly version: number;
  run(...command: string[]): Promise<Answer>;
  /** Properties of a unit, by name. */
  show(unit: string, ...names: string[]): Promise<Record<string, string>>;
  write(path: string, text: string): void;
  stop(): Promise<void>;
}

/** Makes the Debian if it is not there yet, and boots it. */
export async function openBox(suite: string, scripts: string, share: string): Promise<Box> {
  const root = join(CACHE, suite);
  const state = `${root}.state`;
  execFileSync(join(scripts, 'make-root.sh'), [suite, root], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  execFileSync(join(scripts, 'boot.sh'), [root, state, share], { stdio: 'inherit' });
  const pid = readFileSync(join(state, 'pid'), 'utf8').trim();

  const run = (...command: string[]): Promise<Answer> => {
    const begun = performance.now();
    // prettier-ignore
    const args = ['-t', pid, '-p', '-m', '-u', '-i', '-n', '-C', '-r', '-w/', '--', 'env', '-i', '-C', '/', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'TERM=dumb', ...command];
    return new Promise((resolve) => {
      execFile('nsenter', args, { timeout: COMMAND_MS }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, out: stdout + stderr, ms: performance.now() - begun });
      });
    });
  };
  const box: Box = {
    version: Number(/systemd (\d+)/.exec((await run('systemctl', '--version')).out)?.[1]),
    run,
    async show(unit, ...names) {
      const { out } = await run('systemctl', 'show', unit, '-p', names.join(','));
      return Object.fromEntries(
        out
          .split('\n')
          .filter((line) => line.includes('='))
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
    },
    // By the box's own root, as its PID 1 sees it.
    write: (path, text) => writeFileSync(join('/proc', pid, 'root', path), text),
    async stop() {
      await run('systemctl', '--no-block', 'poweroff');
      for (const end = Date.now() + BOOT_MS; existsSync(join('/proc', pid));) {
        if (Date.now() > end) throw new Error(`the systemd of ${suite} does not power off`);
        await sleep(100);
      }
    },
  };
  const end = Date.now() + BOOT_MS;
  for (;;) {
    const { out } = await run('systemctl', 'is-system-running');
    if (/^(running|degraded)/.test(out)) return box;
    if (Date.now() > end) throw new Error(`the systemd of ${suite} does not come up: ${out}`);
    await sleep(200);
  }
}
