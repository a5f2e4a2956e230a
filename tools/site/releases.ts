import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteOptions } from './site-options.js';

/**
 * Builds the site of a release with the release's own tools and packages, into a folder of its tag.
 * Why: docs/decisions/0320
 */
export function buildRelease(root: string, tag: string, options: SiteOptions): void {
  const checkout = mkdtempSync(join(tmpdir(), `apix-site-${tag}-`));
  const run = (cwd: string, command: string, ...args: readonly string[]): void =>
    void execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  run(root, 'git', 'worktree', 'add', '--detach', checkout, tag);
  try {
    run(checkout, 'npm', 'ci', '--no-audit', '--no-fund');
    const source = options.repository === undefined ? [] : ['--repository', options.repository];
    run(checkout, 'npm', 'run', 'site', '--', '--base', `${options.base}${tag}/`, ...source);
    cpSync(join(checkout, 'site/dist'), join(root, options.out, tag), { recursive: true });
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', checkout);
    rmSync(checkout, { recursive: true, force: true });
  }
}
