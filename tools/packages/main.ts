/**
 * Packs every package as npm would publish it, looks into the list of files, and has publint and
 * attw check the tarball. Expects that everything is built.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { type Package, readPackages } from '../architecture/package-tree.js';
import { entriesOf } from '../bundle/entries.js';
import { contentMistakes } from './contents.js';
import { pack } from './pack.js';

/** Compilers that do not know `exports`, or `require` of an ES module. */
const NOT_FOR_US: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

const root = process.cwd();
const work = mkdtempSync(join(tmpdir(), 'apix-packages-'));
let failed = false;
for (const pkg of readPackages(root)) {
  const { files, file } = pack(join(root, 'libs', pkg.folder), work);
  const tarball = readFileSync(file);
  const mistakes = [
    ...contentMistakes(pkg, files),
    ...(existsSync(join(root, 'libs', pkg.folder, 'dist')) ? [] : ['dist is not built']),
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
