// What can be imported of a checkout, and which files an import loads.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const loaded = fileURLToPath(new URL('loaded.mjs', import.meta.url));

/** Names such as `@apix/logx/core`, of every package that is built, in the order of folders. */
export function entriesOf(root) {
  return manifestsOf(root).flatMap(({ name, exports }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([path]) => name + path.slice(1)),
  );
}

/** @throws Error when the checkout is not built. */
export function urlOf(root, specifier) {
  const file = createRequire(join(root, 'libs/any.js')).resolve(specifier);
  if (!existsSync(file)) throw new Error(`bench: ${file} is not there; run npm run build`);
  return pathToFileURL(file).href;
}

/** The peers that an entry point loads, and how many files of the packages it loads. */
export function reachOf(root, entry) {
  const args = [loaded, urlOf(root, entry)];
  const urls = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const names = new Set(manifestsOf(root).flatMap((it) => Object.keys(it.peerDependencies ?? {})));
  const owners = urls.map((url) => ownerOf(url));
  const peers = [...names].filter((name) => owners.includes(name));
  return {
    peers: peers.map((peer) => urlOf(root, peer)),
    own: urls.filter((url) => url.includes('/libs/')).length,
  };
}

function ownerOf(url) {
  const [, inside] = /.*\/node_modules\/(.*)/.exec(url) ?? [];
  const parts = inside?.split('/') ?? [];
  return parts[0]?.startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0];
}

function manifestsOf(root) {
  const libs = join(root, 'libs');
  return readdirSync(libs)
    .map((folder) => join(libs, folder, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
}
