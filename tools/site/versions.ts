import { execFileSync } from 'node:child_process';

/** An entry of the site's menu of versions. */
export interface SiteVersion {
  readonly name: string;
  /** Folder below the site's root; empty for the current one. */
  readonly path: string;
}

/** Tags of releases that can build a site of their own, the newest first. */
export function releasedVersions(root: string): string[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let tags: readonly string[];
  try {
    tags = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n').filter(isVersion);
  } catch {
    // Sources without git, as from an archive, have no other versions.
    return [];
  }
  return tags.filter((tag) => git('ls-tree', '--name-only', tag, 'tools/site/main.ts') !== '');
}

function isVersion(tag: string): boolean {
  return /^v\d+\.\d+\.\d+/.test(tag);
}

/** The menu: what is being built, then the releases but for the one that it is. */
export function versionMenu(current: string, tags: readonly string[]): SiteVersion[] {
  const released = tags.includes(`v${current}`);
  return [
    { name: released ? current : `${current} (unreleased)`, path: '' },
    ...tags
      .filter((tag) => tag !== `v${current}`)
      .map((tag) => ({ name: tag.slice(1), path: `${tag}/` })),
  ];
}
