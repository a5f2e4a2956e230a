import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what `site/` needs, where that has not been done for its lock file. */
export function installGenerator(root: string): void {
  const site = join(root, 'site');
  const done = join(site, 'node_modules/.package-lock.json');
  const isDone =
    existsSync(done) && statSync(done).mtimeMs >= statSync(join(site, 'package-lock.json')).mtimeMs;
  if (isDone) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: site,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** Makes HTML of `site/pages`. */
export function runGenerator(root: string, out: string): void {
  const program = join(root, 'site/node_modules/vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [program, 'build', 'site', '--outDir', out], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
  });
}
