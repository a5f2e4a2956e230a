import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the descriptors of all .proto files of npm google-proto-files, without comments, unless they are there already.
 *
 * @param root of the repository.
 * @returns the file with them.
 */
export function googleSet(root) {
  const home = join(root, 'node_modules/google-proto-files');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const folder = join(root, 'node_modules/.cache/apix-conformance');
  const file = join(folder, `google-proto-files-${version}.binpb`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
  // Its copies of the well-known types do not compile; buf has them built in.
  const config = { version: 'v2', modules: [{ path: '.', excludes: ['google/protobuf'] }] };
  const begun = `${file}-${process.pid}.binpb`;
  const args = ['build', '--config', JSON.stringify(config), '-o', begun, '--exclude-source-info'];
  execFileSync(process.execPath, [buf, ...args], { cwd: home, stdio: 'inherit' });
  renameSync(begun, file);
  return file;
}
