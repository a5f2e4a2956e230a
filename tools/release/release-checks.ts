import type { Package } from '../architecture/package-tree.js';
import { siblingRange } from '../publishing/published-manifest.js';
import { mistakesIn, type Publishing } from '../publishing/publishing.js';

/** What a release is made from. */
export interface Release {
  readonly version: string;
  readonly packages: readonly Package[];
  readonly changelog: string;
  /** What git says is changed and not committed, one path a line. */
  readonly uncommitted: string;
  readonly publishing: Publishing;
}

/** Why it cannot be released. */
export function obstaclesTo(release: Release): string[] {
  const { version, packages, changelog, uncommitted, publishing } = release;
  return [
    ...packages
      .filter(({ manifest }) => manifest.version !== version)
      .map(({ manifest }) => `${manifest.name} has version ${manifest.version}, not ${version}`),
    ...packages.flatMap(({ manifest }) =>
      siblingsOf(manifest.dependencies)
        .filter(([, range]) => range !== siblingRange(version))
        .map(
          ([name, range]) =>
            `${manifest.name} wants ${name} ${range}, not ${siblingRange(version)}`,
        ),
    ),
    ...(changelog.includes(`\n## [${version}]`) ? [] : [`CHANGELOG.md says nothing of ${version}`]),
    ...(uncommitted === '' ? [] : [`not committed:\n${uncommitted}`]),
    ...mistakesIn(
      publishing,
      packages.map(({ folder }) => folder),
    ),
  ];
}

/** Packages in an order in which each finds what it needs in the registry already. */
export function publishOrder(packages: readonly Package[]): Package[] {
  const ordered: Package[] = [];
  const take = (one: Package): void => {
    if (ordered.includes(one)) return;
    for (const [name] of siblingsOf(one.manifest.dependencies)) {
      const sibling = packages.find(({ manifest }) => manifest.name === name);
      if (sibling !== undefined) take(sibling);
    }
    ordered.push(one);
  };
  for (const one of packages) take(one);
  return ordered;
}

function siblingsOf(dependencies: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(dependencies).filter(([name]) => name.startsWith('@apix/'));
}
