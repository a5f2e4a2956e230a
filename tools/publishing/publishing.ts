import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where it is, from the root of the repository. */
export const PUBLISHING_FILE = 'tools/publishing/publishing.json';

/** What the registry shows of every package. A value that is null has not been chosen yet. */
export interface Publishing {
  readonly author: string | null;
  /** The URL of the documentation. */
  readonly homepage: string | null;
  /** The URL by which git clones, such as `git+https://…/apix.git`; provenance compares it with that of the CI. */
  readonly repository: string | null;
  /** The URL where bugs are reported. */
  readonly bugs: string | null;
  /** An identifier of SPDX. */
  readonly license: string;
  /** Of every package, before its own. */
  readonly keywords: readonly string[];
  /** The keywords of each package, by its folder. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

/** Without these there is no release. */
const NEEDED = ['author', 'homepage', 'repository', 'bugs'] as const;

export function readPublishing(root: string): Publishing {
  return JSON.parse(readFileSync(join(root, PUBLISHING_FILE), 'utf8')) as Publishing;
}

/** What is wrong with the values: a line each. */
export function mistakesIn(publishing: Publishing, folders: readonly string[]): string[] {
  const { repository, homepage, bugs, packages } = publishing;
  const unset = NEEDED.filter((name) => (publishing[name] ?? '').trim() === '');
  const isClonable = repository === null || /^git\+https:\/\/[^/]+\/.+\.git$/.test(repository);
  return [
    ...unset.map((name) => `${PUBLISHING_FILE}: ${name} is not set`),
    ...(isClonable
      ? []
      : [
          `${PUBLISHING_FILE}: repository is ${repository}; it must be like git+https://host/owner/name.git`,
        ]),
    ...Object.entries({ homepage, bugs })
      .filter(([, url]) => url !== null && !/^https:\/\/[^/]/.test(url))
      .map(([name, url]) => `${PUBLISHING_FILE}: ${name} is ${url}; it must start with https://`),
    ...folders
      .filter((folder) => (packages[folder] ?? []).length === 0)
      .map((folder) => `${PUBLISHING_FILE}: packages has no keywords for ${folder}`),
    ...Object.keys(packages)
      .filter((folder) => !folders.includes(folder))
      .map((folder) => `${PUBLISHING_FILE}: there is no package ${folder}`),
  ];
}
