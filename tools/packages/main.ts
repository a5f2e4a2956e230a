/**
 * Packs every package as npm would publish it, without writing anything, and looks into the
 * list of files. Expects that everything is built.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Package, readPackages } from '../architecture/package-tree.js';

/** Files without which a package is of no use, besides what its exports name. */
const MUST_CONTAIN: Readonly<Record<string, readonly string[]>> = {
  authz: ['proto/apix/authz/authz.proto'],
};

const root = process.cwd();
let failed = false;
for (const pkg of readPackages(root)) {
  const files = packedFiles(join(root, 'libs', pkg.folder));
  const mistakes = mistakesIn(pkg, files);
  console.log(`${pkg.manifest.name}@${pkg.manifest.version}: ${files.length} files`);
  for (const mistake of mistakes) console.error(`  ${mistake}`);
  failed ||= mistakes.length > 0;
}
if (failed) process.exitCode = 1;

function packedFiles(home: string): string[] {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const output = execFileSync(npm, args, { cwd: home, encoding: 'utf8' });
  const answer: unknown = JSON.parse(output);
  // npm 11 answers with a list, later versions with an object by name.
  const [report] = Object.values(answer as Record<string, { files: { path: string }[] }>);
  return report!.files.map(({ path }) => path);
}

function mistakesIn({ folder, manifest }: Package, files: readonly string[]): string[] {
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
      .filter((path) => /\.(?:spec|fixture)\.|\.tsbuildinfo$|^src\//.test(path))
      .map((path) => `${path} should not be published`),
    ...(existsSync(join(root, 'libs', folder, 'dist')) ? [] : ['dist is not built']),
  ];
}
