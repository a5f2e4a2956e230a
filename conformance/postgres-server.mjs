import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** Where Debian has it. */
export const PGBOUNCER = '/usr/sbin/pgbouncer';

/** The folder of Debian's initdb and postgres; null without one. */
export function postgresPrograms() {
  if (!existsSync(DEBIAN)) return null;
  const folders = readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Installs postgresql on Debian, where this is root; ends the process where it is not. */
export function ensurePostgres() {
  if (postgresPrograms() === null) install('postgresql');
}

/** The same for pgbouncer. */
export function ensurePgbouncer() {
  if (!existsSync(PGBOUNCER)) install('pgbouncer');
}

function install(name) {
  if (process.getuid?.() !== 0) {
    console.error(`${name} is missing: run this as root, which installs it, or install it`);
    process.exit(1);
  }
  execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-qy', '--no-install-recommends', name], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}
