// Gives each package the lowest versions of its peers that it allows, optional ones included:
//  - alone, outside the workspace, they are installed without a complaint of npm, and everything
//    that its exports name loads;
//  - its tests pass with them, in a copy of the repository.
// Expects `npm run build`.  node conformance/floors/run.mjs [--quick] [package...]
// The lowest version of Nest is one of 11; the tests run with the lowest of 12 too.
// --quick installs the packages together instead of each alone, loads them without compiling, and
// runs the tests that reach a peer instead of all, with Nest 11 alone.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  COMPILER,
  checkTree,
  entriesOf,
  importEntries,
  inFolder,
  install,
  loadEntries,
} from '../packages/alone.mjs';
import { startRegistry } from '../packages/registry.mjs';
import { CORE } from './core-tests.mjs';
import { floorsOf, newestFloorsOf, sharedFloors } from './lowest.mjs';
import { NEST_11, withCompanions } from './nest-sets.mjs';
import { inCopy, testsIn } from './suite.mjs';

const asked = process.argv.slice(2).filter((argument) => argument !== '--quick');
const quick = process.argv.includes('--quick');
const libs = join(import.meta.dirname, '..', '..', 'libs');
const all = await Promise.all((await readdir(libs)).map(manifestIn));
const manifests = all.filter(({ name }) => asked.length === 0 || asked.includes(name));
const testing = testAll();
const registry = await startRegistry();
const mistakes = await tryAll().finally(() => registry.close());
const tests = await testing;
let failures = 0;
for (const manifest of manifests) {
  const { name } = manifest;
  const { passed, failures: failed } = tests.get(folderOf(name)) ?? {
    passed: 0,
    failures: untested(manifest),
  };
  const wrong = [...mistakes.get(name), ...failed];
  if (wrong.length === 0) {
    const peers = Object.entries(floorsOf(manifest)).map(([peer, version]) => `${peer} ${version}`);
    console.log(`ok  ${name}: ${peers.join(', ') || 'no peers'}; ${passed} tests`);
  } else {
    failures += 1;
    console.error(`FAILED  ${name}: ${passed} tests passed\n  ${wrong.join('\n  ')}`);
  }
}
console.log(`${manifests.length - failures} passed, ${failures} failed`);
if (failures > 0) process.exitCode = 1;

async function manifestIn(lib) {
  return JSON.parse(await readFile(join(libs, lib, 'package.json'), 'utf8'));
}

async function testAll() {
  try {
    const folders = manifests.map(({ name }) => `${folderOf(name)}/`);
    const paths = quick
      ? CORE.filter((path) => folders.some((it) => path.startsWith(it)))
      : folders;
    const test = (folder) =>
      testsIn(
        folder,
        paths.map((path) => `libs/${path}`),
      );
    const lowest = { ...NEST_11, ...withCompanions(sharedFloors(all)) };
    const tests = await inCopy(lowest, test);
    if (quick) return tests;
    return both(tests, await inCopy(withCompanions(sharedFloors(all, newestFloorsOf)), test));
  } catch (error) {
    const failed = { passed: 0, failures: [`the tests did not run: ${told(error)}`] };
    return new Map(manifests.map(({ name }) => [folderOf(name), failed]));
  }
}

/** What became of the tests of each package, with NestJS 11 and with 12. */
function both(with11, with12) {
  const folders = new Set([...with11.keys(), ...with12.keys()]);
  return new Map(
    [...folders].map((folder) => {
      const runs = [with11.get(folder), with12.get(folder)].filter((run) => run !== undefined);
      const failures = runs.flatMap((run) => run.failures);
      return [folder, { passed: runs.reduce((sum, { passed }) => sum + passed, 0), failures }];
    }),
  );
}

/** Without --quick every package has tests that run, and with it every package that has peers. */
function untested({ peerDependencies }) {
  return quick && peerDependencies === undefined ? [] : ['none of its tests ran'];
}

/** What is wrong with each package, by name. */
async function tryAll() {
  const found = new Map();
  for (const group of quick ? [manifests] : manifests.map((manifest) => [manifest])) {
    const wrong = await inFolder(registry, (folder) => tryOut(group, folder)).then(
      () => [],
      (error) => [told(error)],
    );
    for (const { name } of group) found.set(name, wrong);
  }
  return found;
}

async function tryOut(group, folder) {
  const floors = Object.entries(Object.assign({}, ...group.map(floorsWithSiblings)));
  const peers = floors.map(([peer, version]) => `${peer}@${version}`);
  const names = group.map(({ name }) => name);
  await install(folder, ['--prefer-offline', ...names, ...peers, ...(quick ? [] : COMPILER)]);
  await checkTree(folder);
  for (const [peer, version] of floors) {
    const file = join(folder, 'node_modules', peer, 'package.json');
    const installed = JSON.parse(await readFile(file, 'utf8')).version;
    if (installed !== version) throw new Error(`${peer} is ${installed} instead of ${version}`);
  }
  await (quick ? importEntries : loadEntries)(folder, group.flatMap(entriesOf));
}

/** Also the peers of the packages of ours that a package brings along; its own come first. */
function floorsWithSiblings(manifest) {
  const siblings = Object.keys(manifest.dependencies ?? {})
    .filter((name) => registry.names.includes(name))
    .map((name) => floorsWithSiblings(registry.manifestOf(name)));
  return Object.assign({}, ...siblings, floorsOf(manifest));
}

/** What a command that failed said; its stderr is part of the message. */
function told({ message, stdout = '' }) {
  return `${message}\n${stdout}`.trim();
}

function folderOf(name) {
  return name.slice('@apix/'.length);
}
