import type { AppFacts } from './app-facts.js';
import type { AppFiles } from './app-files.js';
import { readManifest, writeManifest } from './manifest-file.js';
import { type Part, peersOf } from './parts.js';
import { addProtoScripts } from './proto-scripts.js';

const TOOLS = {
  '@bufbuild/buf': '^1.70.0',
  '@bufbuild/protoc-gen-es': '^2.17.0',
};

/**
 * Adds packages and scripts to package.json; changes no existing package.
 *
 * @param version the version of the `@apix` packages.
 * @returns whether packages have to be installed.
 */
export function changeManifest(
  files: AppFiles,
  facts: AppFacts,
  parts: ReadonlySet<Part>,
  version: string,
): boolean {
  const manifest = readManifest(files);
  const { dependencies = {}, devDependencies = {}, scripts = {} } = manifest;
  const added = [
    ...addMissing(dependencies, facts, packagesOf(parts, facts, version)),
    ...addMissing(devDependencies, facts, parts.has('proto') ? TOOLS : {}),
  ];
  moveToTools(dependencies, devDependencies);
  const changedScripts = parts.has('proto') ? addProtoScripts(scripts, facts) : [];
  writeManifest(
    files,
    {
      ...manifest,
      scripts,
      dependencies: sorted(dependencies),
      devDependencies: sorted(devDependencies),
    },
    newIn({ packages: added, scripts: changedScripts }),
  );
  return added.length > 0;
}

function packagesOf(
  parts: ReadonlySet<Part>,
  facts: AppFacts,
  version: string,
): Record<string, string> {
  const own = [...parts, ...(parts.has('grpc') ? ['contracts'] : [])];
  const peers = [...parts].map((part) => peersOf(part, facts));
  const ours = own.map((name) => [`@apix/${name}`, `^${version}`]);
  return Object.assign(Object.fromEntries(ours), ...peers) as Record<string, string>;
}

/** @returns the names of those that are added. */
function addMissing(
  to: Record<string, string>,
  { packages }: AppFacts,
  wanted: Readonly<Record<string, string>>,
): string[] {
  const missing = Object.entries(wanted).filter(([name]) => !Object.hasOwn(packages, name));
  for (const [name, range] of missing) to[name] = range;
  return missing.map(([name]) => name);
}

/** `nest add` makes this package a runtime dependency, which it is not. */
function moveToTools(dependencies: Record<string, string>, tools: Record<string, string>): void {
  const own = dependencies['@apix/start'];
  if (own === undefined) return;
  delete dependencies['@apix/start'];
  tools['@apix/start'] ??= own;
}

function newIn(lists: Readonly<Record<string, readonly string[]>>): string {
  const filled = Object.entries(lists).filter(([, names]) => names.length > 0);
  const lines = filled.map(([title, names]) => `${title} ${names.join(', ')}`);
  return lines.join('; ') || '@apix/start is a development dependency';
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
