/**
 * Packs every package as npm would publish it, looks into the list of files, and has publint and
 * attw check the tarball. Expects that everything is built.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { type Package, readPackages } from '../architecture/package-tree.js';
import { entriesOf } from '../bundle/entries.js';

/** Files without which a package is of no use, besides what its exports name. */
const MUST_CONTAIN: Readonly<Record<string, readonly string[]>> = {
  authz: ['proto/apix/authz/authz.proto'],
  mcp: ['proto/apix/mcp/mcp.proto'],
};

/** Compilers that do not know `exports`, or `require` of an ES module. */
const NOT_FOR_US: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

const root = process.cwd();
const work = mkdtempSync(join(tmpdir(), 'apix-packages-'));
let failed = false;
for (const pkg of readPackages(root)) {
  const { files, tarball } = packed(join(root, 'libs', pkg.folder));
  const mistakes = [
    ...mistakesIn(pkg, files),
    ...(await nameMistakes(pkg)),
    ...(await publintMistakes(tarball)),
    ...(await attwMistakes(tarball)),
  ];
  console.log(`${pkg.manifest.name}@${pkg.manifest.version}: ${files.length} files`);
  for (const mistake of mistakes) console.error(`  ${mistake}`);
  failed ||= mistakes.length > 0;
}
rmSync(work, { recursive: true });
if (failed) process.exitCode = 1;

function packed(home: string): { files: string[]; tarball: Buffer<ArrayBuffer> } {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error'];
  const output = execFileSync(npm, [...args, '--pack-destination', work], {
    cwd: home,
    encoding: 'utf8',
  });
  const answer: unknown = JSON.parse(output);
  // npm 11 answers with a list, later versions with an object by name.
  const [report] = Object.values(
    answer as Record<string, { filename: string; files: { path: string }[] }>,
  );
  const { filename, files } = report!;
  return { files: files.map(({ path }) => path), tarball: readFileSync(join(work, filename)) };
}

/** A bundler renames the second of two things of one name; of classes the names are seen. */
async function nameMistakes({ folder, manifest }: Package): Promise<string[]> {
  const mistakes: string[] = [];
  for (const entry of entriesOf({ exports: manifest.exports ?? {} })) {
    const url = pathToFileURL(join(root, 'libs', folder, 'dist', entry)).href;
    const exported = (await import(url)) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || !/^class\b/.test(Function.prototype.toString.call(value)))
        continue;
      if (value.name !== name) mistakes.push(`${entry}: class ${name} is named ${value.name}`);
    }
  }
  return mistakes;
}

async function publintMistakes(tarball: Buffer<ArrayBuffer>): Promise<string[]> {
  const { buffer, byteOffset, byteLength } = tarball;
  const copy = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: copy } });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** Types as compilers of today find them; the packages are ES modules and say so. */
async function attwMistakes(tarball: Buffer<ArrayBuffer>): Promise<string[]> {
  const checked = await checkPackage(createPackageFromTarballData(tarball));
  if (!checked.types) return ['attw: it has no types'];
  return checked.problems
    .filter((problem) => !('resolutionKind' in problem && NOT_FOR_US.has(problem.resolutionKind)))
    .map((problem) => `attw: ${JSON.stringify(problem)}`);
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
      .filter((path) => /\.(?:spec|fixture)\.|\.tsbuildinfo$|^src\/|\.modules\//.test(path))
      .map((path) => `${path} should not be published`),
    ...(existsSync(join(root, 'libs', folder, 'dist')) ? [] : ['dist is not built']),
  ];
}
