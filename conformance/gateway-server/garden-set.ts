import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { buf } from '../../tools/generate/buf.js';
import { assembleProtoTree } from '../../tools/generate/proto-tree.js';

const HERE = 'conformance/gateway-server';

/** Sets of descriptors, by what they are for. */
export interface GardenSets {
  /** For the Python server: all that it serves and needs. */
  readonly server: string;
  /** A folder with the code that protoc generates for it of the garden, which embeds its descriptors. */
  readonly python: string;
  /** For the gateway: the garden, and what it imports. */
  readonly garden: string;
}

/** Builds the descriptors of the test into a folder; the repository is the current one. */
export function buildSets(folder: string): GardenSets {
  const tree = join(folder, 'tree');
  const sets = {
    server: join(folder, 'server.binpb'),
    python: join(folder, 'python'),
    garden: join(folder, 'garden.binpb'),
  };
  mkdirSync(tree);
  mkdirSync(sets.python);
  assembleProtoTree(process.cwd(), tree);
  cpSync(join(HERE, 'proto'), tree, { recursive: true });
  const require = createRequire(join(process.cwd(), 'package.json'));
  const google = dirname(require.resolve('google-proto-files/package.json'));
  for (const name of ['status', 'error_details']) {
    cpSync(join(google, `google/rpc/${name}.proto`), join(tree, `google/rpc/${name}.proto`));
  }
  build(tree, sets.garden, ['garden']);
  build(tree, sets.server, ['garden', 'google/rpc', 'grpc']);
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(sets.garden));
  const names = file.map(({ name }) => name).filter((name) => !name.startsWith('google/protobuf/'));
  execFileSync('/usr/bin/protoc', [`-I${tree}`, `--python_out=${sets.python}`, ...names]);
  return sets;
}

function build(tree: string, out: string, paths: readonly string[]): void {
  const options = paths.flatMap((path) => ['--path', path]);
  buf(
    tree,
    'build',
    '.',
    ...options,
    '--config',
    '{"version":"v2"}',
    '--as-file-descriptor-set',
    '-o',
    out,
  );
}
