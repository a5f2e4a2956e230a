import type { AppFiles } from './app-files.js';
import type { Manifest } from './manifest-file.js';

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;

const LOCKS = [
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

export type PackageManager = (typeof MANAGERS)[number];

/** The package manager, by its lock file or the field of package.json. */
export function packageManagerOf(
  files: AppFiles,
  { packageManager = '' }: Manifest,
): PackageManager {
  const named = MANAGERS.find((name) => packageManager.startsWith(`${name}@`));
  return LOCKS.find(([lock]) => files.exists(lock))?.[1] ?? named ?? 'npm';
}

/** Whether it runs no `pre` scripts, as yarn from version 2 on and pnpm before 9: the format of the lock file shows it too. */
export function skipsPreScripts(files: AppFiles, { packageManager = '' }: Manifest): boolean {
  return (
    /^(?:yarn@(?!1\b)|pnpm@[1-8]\b)/.test(packageManager) ||
    files.exists('.yarnrc.yml') ||
    /^__metadata:/m.test(files.text('yarn.lock') ?? '') ||
    /^lockfileVersion: '?[5-6]\./m.test(files.text('pnpm-lock.yaml') ?? '')
  );
}
