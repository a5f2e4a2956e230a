import type { Package } from '../architecture/package-tree.js';

/** Files without which a package is of no use, besides what its exports name. */
const MUST_CONTAIN: Readonly<Record<string, readonly string[]>> = {
  authz: ['proto/apix/authz/authz.proto'],
  mcp: ['proto/apix/mcp/mcp.proto'],
};

/** What of a package's files is missing in its tarball, or does not belong there: a line each. */
export function contentMistakes({ folder, manifest }: Package, files: readonly string[]): string[] {
  const entries = Object.values(manifest.exports ?? {})
    .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
    .filter((path) => !path.includes('*'))
    .map((path) => path.replace(/^\.\//, ''));
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    ...entries,
    ...(MUST_CONTAIN[folder] ?? []),
  ];
  return [
    ...needed.filter((path) => !files.includes(path)).map((path) => `${path} is missing`),
    ...files
      .filter((path) => /\.(?:spec|fixture)\.|\.tsbuildinfo$|^src\/|\.modules\//.test(path))
      .map((path) => `${path} should not be published`),
  ];
}
