import type { Publishing } from './publishing.js';

/** A package.json with members that are left as they are. */
export type ManifestJson = Readonly<Record<string, unknown>>;

/** What is written here, and removed from a manifest before. */
const WRITTEN = ['author', 'homepage', 'repository', 'bugs', 'license', 'keywords'];

/**
 * The range in which a package takes its siblings: not older than itself, and of the same minor until 1.0.
 *
 * Why: docs/decisions/0545
 */
export function siblingRange(version: string): string {
  return `^${version}`;
}

/** The manifest of libs/`folder` with what is the same for all packages: version, ranges, and what the registry shows. */
export function publishedManifest(
  manifest: ManifestJson,
  folder: string,
  version: string,
  publishing: Publishing,
): ManifestJson {
  const { author, homepage, repository, bugs, license, keywords, packages } = publishing;
  const shown = {
    ...(author !== null && { author }),
    ...(homepage !== null && { homepage }),
    ...(repository !== null && {
      repository: { type: 'git', url: repository, directory: `libs/${folder}` },
    }),
    ...(bugs !== null && { bugs: { url: bugs } }),
    license,
    keywords: [...keywords, ...(packages[folder] ?? [])],
  };
  const members = Object.entries(manifest).filter(([name]) => !WRITTEN.includes(name));
  const written = members.flatMap(([name, value]): [string, unknown][] => {
    if (name === 'version') return [[name, version]];
    if (name === 'description') return [[name, value], ...Object.entries(shown)];
    if (name === 'dependencies') return [[name, withRanges(value, version)]];
    return [[name, value]];
  });
  return {
    ...Object.fromEntries(written),
    // Why: docs/decisions/0546
    publishConfig: { access: 'public', provenance: true },
  };
}

/** The lock file, whose entries of workspaces repeat their manifests. */
export function publishedLock(lock: ManifestJson, version: string): ManifestJson {
  const packages = lock['packages'] as Readonly<Record<string, ManifestJson>>;
  const written = Object.entries(packages).map(([path, entry]) => {
    if (!/^libs\/[^/]+$/.test(path)) return [path, entry];
    const { dependencies } = entry;
    return [
      path,
      {
        ...entry,
        version,
        ...(dependencies !== undefined && { dependencies: withRanges(dependencies, version) }),
      },
    ];
  });
  return { ...lock, packages: Object.fromEntries(written) as unknown };
}

export function textOf(json: ManifestJson): string {
  return `${JSON.stringify(json, null, 2)}\n`;
}

function withRanges(dependencies: unknown, version: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(dependencies as Readonly<Record<string, unknown>>).map(([name, range]) => [
      name,
      name.startsWith('@apix/') ? siblingRange(version) : range,
    ]),
  );
}
