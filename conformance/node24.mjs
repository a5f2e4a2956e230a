import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A Node 24 for what does not run on 20, from npm: as and where `npm run test:nodes` has it. */
export function node24() {
  const folder = join(import.meta.dirname, '../node_modules/.cache/apix-nodes/24');
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', [...args, `${name}@24`], { cwd: folder, stdio: 'inherit' });
  return bin;
}
