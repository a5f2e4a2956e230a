// Lays the built shop out as it is deployed: `node apps/demo/deploy/lay-out.mjs <folder>`, after
// `npx nest build demo`. What it takes is what the mains of shop and payments reach: files of dist/, and of node_modules
// the packages that these import with their own dependencies, as `npm ci` put them there.
import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');
/** The shop, and payments, which it starts as a process of their own. */
const MAINS = ['dist/apps/demo/src/main.js', 'dist/apps/demo/src/payments/main.js'];
const ASSETS = [
  'apps/demo/gen/shop.binpb',
  'apps/demo/gen/payments.binpb',
  'apps/demo/logging.yaml',
  'apps/demo/payments-logging.yaml',
  'apps/demo/deploy/logging.yaml',
  'apps/demo/deploy/payments-logging.yaml',
];
/** Nest finds its HTTP adapter by name. */
const UNSEEN = ['@nestjs/platform-express'];

/** Copies the shop into `folder`; gives the packages it took, by their place in node_modules. */
export async function layOut(folder) {
  const { files, packages } = await reachable();
  const places = new Set();
  for (const name of [...packages, ...UNSEEN]) addPackage(name, root, places);
  const copy = (path) => cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of [...files, ...ASSETS]) copy(path);
  for (const place of places) {
    // A package nested in another one is copied where it is needed, and only there.
    const nested = join(root, place, 'node_modules');
    cpSync(join(root, place), join(folder, place), {
      recursive: true,
      filter: (path) => path !== nested && !/\.(?:map|d\.[cm]?ts)$/.test(path),
    });
  }
  const { name, license, engines } = readPackage(root);
  const about = { name: `${name}-shop`, private: true, license, type: 'module', engines };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  return [...places];
}

async function reachable() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: MAINS,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const packages = new Set();
  for (const { imports } of Object.values(metafile.inputs)) {
    for (const { path, external } of imports) {
      if (!external || path.startsWith('node:')) continue;
      packages.add(path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  const files = Object.keys(metafile.inputs);
  // What a package of libs/ loads by require, such as koffi, is among its dependencies.
  for (const lib of new Set(files.map((file) => /^dist\/(libs\/[^/]+)\//.exec(file)?.[1]))) {
    if (lib === undefined) continue;
    for (const name of Object.keys(readPackage(join(root, lib)).dependencies ?? {})) {
      if (!name.startsWith('@apix/')) packages.add(name);
    }
  }
  return { files, packages };
}

/** A package and everything that it says it needs, as Node would find it from `from`. */
function addPackage(name, from, places, isNeeded = true) {
  const folder = find(name, from);
  if (folder === undefined) {
    if (isNeeded) throw new Error(`${name} is not installed, and ${from} needs it: run npm ci`);
    return;
  }
  const place = relative(root, folder);
  if (places.has(place)) return;
  const about = readPackage(folder);
  places.add(place);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = about;
  const { peerDependenciesMeta = {} } = about;
  for (const one of Object.keys(dependencies)) {
    addPackage(one, folder, places, !(one in optionalDependencies));
  }
  for (const one of Object.keys(optionalDependencies)) addPackage(one, folder, places, false);
  for (const one of Object.keys(peerDependencies)) {
    if (peerDependenciesMeta[one]?.optional !== true) addPackage(one, folder, places);
  }
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function find(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (at === root) return undefined;
  }
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('usage: node apps/demo/deploy/lay-out.mjs <folder>');
  const packages = await layOut(resolve(folder));
  console.log(`${packages.length} packages beside the shop in ${folder}`);
}
