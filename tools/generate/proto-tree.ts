import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { file_buf_validate_validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { GOOGLE_API_PATHS } from './google-api.js';
import { printProto } from './print-proto.js';

const require = createRequire(join(process.cwd(), 'package.json'));

/** Files that our protos import, or that we speak: import path → package and path inside it. */
const FROM_PACKAGES: readonly (readonly [path: string, packageName: string, inside: string])[] = [
  ...GOOGLE_API_PATHS.map((path) => [path, 'google-proto-files', path] as const),
  ...['v1', 'v1alpha'].map(
    (version) =>
      [
        `grpc/reflection/${version}/reflection.proto`,
        '@grpc/reflection',
        `build/proto/grpc/reflection/${version}/reflection.proto`,
      ] as const,
  ),
  ['grpc/health/v1/health.proto', 'grpc-health-check', 'proto/health/v1/health.proto'],
];

/**
 * Lays out, in an empty folder, every .proto file of the repository and what they import, each
 * at its import path. Nothing is downloaded: third-party files come out of npm packages.
 */
export function assembleProtoTree(root: string, tree: string): void {
  for (const folder of ['proto', 'libs/proto/testdata', 'conformance/hostile/proto']) {
    cpSync(join(root, folder), tree, { recursive: true });
  }
  for (const [path, packageName, inside] of FROM_PACKAGES) {
    const home = dirname(require.resolve(`${packageName}/package.json`));
    put(tree, path, (target) => cpSync(join(home, inside), target));
  }
  put(tree, 'buf/validate/validate.proto', (target) =>
    writeFileSync(target, printProto(file_buf_validate_validate.proto)),
  );
}

function put(tree: string, path: string, write: (target: string) => void): void {
  const target = join(tree, path);
  mkdirSync(dirname(target), { recursive: true });
  write(target);
}
