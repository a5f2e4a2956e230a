// Installs each package alone into an empty Nest app outside the workspace, and sees that
//  - everything its exports name can be imported by an ES module, and required by a CommonJS
//    module that the TypeScript compiler made;
//  - it brings nothing along that DESIGN does not list.
// At the end it installs several versions together: minors.mjs.
// Expects `npm run build`.  node conformance/packages/run.mjs [package...]
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILER, entriesOf, inFolder, install, loadEntries } from './alone.mjs';
import { tryMinors } from './minors.mjs';
import { startRegistry } from './registry.mjs';

/** What an empty Nest app has. */
const NEST = ['@nestjs/common@12', '@nestjs/core@12', 'reflect-metadata', 'rxjs'];

/** Parts that only those who ask for them should get, by the package that brings them. */
const NOT_FOR_EVERYBODY = ['pino', 'yaml', 'koffi', 'croner', 'swagger-ui-dist', 'bullmq', 'ws'];

const registry = await startRegistry();
const asked = process.argv.slice(2);
const names = registry.names.filter((name) => asked.length === 0 || asked.includes(name));
const standard = await inFolder(registry, async (folder) => {
  await install(folder, NEST);
  return new Set(await installed(folder));
});
let failures = 0;
for (const name of names) {
  try {
    console.log(`ok  ${name}: ${await inFolder(registry, (folder) => tryAlone(name, folder))}`);
  } catch (error) {
    failures += 1;
    console.error(`FAILED  ${name}: ${error.message}\n${error.stdout ?? ''}`);
  }
}
registry.close();
if (asked.length === 0) {
  for (const failure of await tryMinors()) {
    failures += 1;
    console.error(`FAILED  ${failure}`);
  }
}
console.log(`${names.length + Number(asked.length === 0) - failures} passed, ${failures} failed`);
if (failures > 0) process.exitCode = 1;

async function tryAlone(name, folder) {
  await install(folder, [...NEST, name]);
  const extra = (await installed(folder)).filter((dependency) => !standard.has(dependency));
  const listed = listedBy(name);
  const uninvited = extra.filter(
    (dependency) => NOT_FOR_EVERYBODY.includes(dependency) && !listed.has(dependency),
  );
  if (uninvited.length > 0) throw new Error(`brings ${uninvited.join(', ')}`);
  const entries = entriesOf(registry.manifestOf(name));
  await install(folder, [...optionalPeersOf(name), ...COMPILER]);
  await loadEntries(folder, entries);
  if (name === '@apix/authz') await refusesNest10(name);
  return `${entries.length} entries; brings ${extra.join(', ')}`;
}

/** The peer range says which Nest it is for. */
async function refusesNest10(name) {
  const refused = await inFolder(registry, (folder) =>
    install(folder, [
      '@nestjs/common@10',
      '@nestjs/core@10',
      'reflect-metadata',
      'rxjs',
      name,
    ]).then(
      () => false,
      (error) => /ERESOLVE/.test(error.stderr),
    ),
  );
  if (!refused) throw new Error('lets itself be installed beside Nest 10');
}

async function installed(folder) {
  const home = join(folder, 'node_modules');
  const found = [];
  for (const name of await readdir(home)) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) found.push(name);
    else for (const inner of await readdir(join(home, name))) found.push(`${name}/${inner}`);
  }
  return found;
}

/** What a package and those of ours that it brings name as dependencies or required peers. */
function listedBy(name) {
  const {
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = registry.manifestOf(name);
  const required = Object.keys(peerDependencies).filter(
    (peer) => peerDependenciesMeta[peer]?.optional !== true,
  );
  const own = [...Object.keys(dependencies), ...required];
  const ours = own.filter((dependency) => registry.names.includes(dependency));
  return new Set([...own, ...ours.flatMap((dependency) => [...listedBy(dependency)])]);
}

/**
 * Every subpath is tried, so what it needs must be there, with what its types name. Required peers
 * are there already; npm may never end when it is given their ranges once more.
 */
function optionalPeersOf(name) {
  const {
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = registry.manifestOf(name);
  const [only, ...others] = Object.keys(dependencies);
  // A former name exports nothing but the package of the new one, and has its types.
  const isFormerName = others.length === 0 && Object.keys(peerDependencies).length === 0;
  if (isFormerName && registry.names.includes(only)) return optionalPeersOf(only);
  return Object.entries(peerDependencies)
    .filter(([peer]) => peerDependenciesMeta[peer]?.optional === true)
    .filter(([peer]) => !NEST.some((known) => known.replace(/(?<=.)@.*$/, '') === peer))
    .map(([peer, range]) => `${peer}@${range}`);
}
