// What can be imported of a checkout, and what an import does in a process of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names such as `@apix/logx/core`, of every package, in the order of folders. */
export function entriesOf(root) {
  return manifestsOf(root).flatMap(({ name, exports }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([path]) => name + path.slice(1)),
  );
}

/** The peers that an entry point loads, and how many files of the packages it loads. */
export function reachOf(root, entry) {
  const urls = runAt(root, 'loaded.mjs', [entry]);
  const names = new Set(manifestsOf(root).flatMap((it) => Object.keys(it.peerDependencies ?? {})));
  const owners = new Set(urls.map((url) => ownerOf(url)));
  return {
    peers: [...names].filter((name) => owners.has(name)),
    own: urls.filter((url) => url.includes('/libs/')).length,
  };
}

/** What a script of this folder prints in a checkout. @throws Error when that is not built. */
export function runAt(root, script, args) {
  const text = readFileSync(new URL(script, import.meta.url), 'utf8');
  const options = ['--expose-gc', '--input-type=module', '-e', text, '--'];
  return JSON.parse(
    execFileSync(process.execPath, [...options, ...args], { cwd: root, encoding: 'utf8' }),
  );
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
