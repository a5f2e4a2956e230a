// The interoperability tests of gRPC (doc/interop-test-descriptions.md of grpc/grpc) with gRPC's C-core,
// in both directions: `npm run conformance:interop`. As root on Debian it installs python3-grpcio, which is
// C-core, and grpc-proto, the service of the tests.
//   --only <case>   one case alone
//   --quick         50 calls at once instead of 1,000, and fewer in turn
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';

const PROTOS = '/usr/share/grpc-proto';
const PACKAGES = ['python3-grpcio', 'grpc-proto'];

function isInstalled() {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import grpc, google.protobuf'], { stdio: 'ignore' });
    return existsSync(join(PROTOS, 'grpc/testing/test.proto'));
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  if (process.getuid?.() !== 0) {
    console.error(`install them first: apt-get install ${PACKAGES.join(' ')}`);
    process.exit(1);
  }
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
    options,
  );
}

const here = import.meta.dirname;
const root = join(here, '../..');
const cache = join(root, 'node_modules/.cache/apix-conformance/interop');
mkdirSync(cache, { recursive: true });
const descriptors = join(cache, 'test.binpb');
const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
// A configuration of its own: otherwise the folder counts as a part of this repository's module.
const options = ['--path', 'grpc/testing/test.proto', '--config', '{"version":"v2"}'];
execFileSync(process.execPath, [buf, 'build', '.', ...options, '-o', descriptors], {
  cwd: PROTOS,
  stdio: 'inherit',
});
process.env.INTEROP_DESCRIPTORS = descriptors;
process.env.INTEROP_PYTHON = here;
await runBundled(here, ['main.ts', 'app.ts']);
