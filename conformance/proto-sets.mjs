import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = 'node_modules/.cache/apix-conformance';

/**
 * Builds the descriptors of all .proto files of npm google-proto-files, without comments, unless they are there already.
 *
 * @param root of the repository.
 * @returns the file with them.
 */
export function googleSet(root) {
  const home = join(root, 'node_modules/google-proto-files');
  // Its copies of the well-known types do not compile; buf has them built in.
  return built(root, home, () => home, ['google/protobuf']);
}

/**
 * Builds the descriptors of etcd's services, without comments, unless they are there already.
 *
 * @param root of the repository.
 * @param home of npm etcd3, which has their .proto files.
 * @returns the file with them.
 */
export function etcdSet(root, home) {
  return built(root, home, () => {
    const sources = join(root, CACHE, 'etcd');
    const annotations = ['google/api/annotations.proto', 'google/api/http.proto'];
    for (const file of annotations) {
      cpSync(join(root, 'node_modules/google-proto-files', file), join(sources, file));
    }
    for (const file of ['auth.proto', 'kv.proto', 'rpc.proto']) {
      // They are written for a parser that takes such paths, and options without their import.
      const text = readFileSync(join(home, 'proto', file), 'utf8')
        .replaceAll('import "./', 'import "')
        .replace(/^package .*$/m, `$&\nimport "${annotations[0]}";`);
      writeFileSync(join(sources, file), text);
    }
    return sources;
  });
}

/** The set of a package and its version; what compiles is laid out only if it is not there. */
function built(root, home, layOut, excludes = []) {
  const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const folder = join(root, CACHE);
  const file = join(folder, `${name}-${version}.binpb`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
  const config = { version: 'v2', modules: [{ path: '.', excludes }] };
  const begun = `${file}-${process.pid}.binpb`;
  const args = ['build', '--config', JSON.stringify(config), '-o', begun, '--exclude-source-info'];
  execFileSync(process.execPath, [buf, ...args], { cwd: layOut(), stdio: 'inherit' });
  renameSync(begun, file);
  return file;
}
