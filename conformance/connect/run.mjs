// The official cases of connectrpc/conformance against our servers, and against Connect's own, which proves the cases:
// `npm run conformance:connect [-- <the folder of the cases>]`, or `CONNECT_SUITE=<folder>`. Then the same calls to both
// servers, byte by byte, and real clients: Connect's and gRPC-Web's in Chromium, Connect's of Node, grpc-js, C-core, curl.
//   --quick         a sample of the cases and no clients that have to be installed, in half a minute
//   --only <part>   `reference`, `cases`, `differential` or `clients`
//   --name <text>   only cases with this in their names
//   --seed <n>      other calls to both servers than those of seed 1
//   --break         Connect's server answers with other data: each case with data must fail
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';
import { installed } from '../installed.mjs';

const MISSING = `The official cases of Connect are data of github.com/connectrpc/conformance, and are not part of this
repository. Get them, and say where they are:

  git clone --depth 1 https://github.com/connectrpc/conformance
  mkdir suite && cp -r conformance/proto suite/proto
  cp -r conformance/internal/app/connectconformance/testsuites/data suite/cases
  npm run conformance:connect -- suite              # or CONNECT_SUITE=suite`;

const here = import.meta.dirname;
const root = join(here, '../..');
const withValue = ['--only', '--name', '--seed'];
const [given] = process.argv
  .slice(2)
  .filter((word, at, all) => !word.startsWith('--') && !withValue.includes(all[at - 1]));
const suite = given ?? process.env.CONNECT_SUITE;
if (suite === undefined || !existsSync(join(suite, 'cases')) || !existsSync(join(suite, 'proto'))) {
  if (suite !== undefined) console.error(`${suite} has no folders cases and proto.`);
  console.error(MISSING);
  process.exit(1);
}

installed(here);
const cache = join(root, 'node_modules/.cache/apix-conformance/connect');
mkdirSync(cache, { recursive: true });
const descriptors = join(cache, 'conformance.binpb');
const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
// A configuration of its own: otherwise the folder counts as a part of a module around it.
const options = ['--config', '{"version":"v2"}', '--exclude-source-info', '-o', descriptors];
execFileSync(process.execPath, [buf, 'build', '.', ...options], {
  cwd: join(suite, 'proto'),
  stdio: 'inherit',
});
process.env.CONNECT_SUITE = resolve(suite);
process.env.CONNECT_DESCRIPTORS = descriptors;
process.env.CONNECT_HERE = here;
process.env.CONNECT_PAGE = cache;
if (!process.argv.includes('--quick')) {
  installClients();
  await buildPage();
}
await runBundled(here, ['main.ts']);

/** What real clients need: Chromium, and gRPC's C-core for Python, both Debian's. */
function installClients() {
  installChromium();
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import grpc, google.protobuf'], { stdio: 'ignore' });
  } catch {
    if (process.getuid?.() !== 0)
      throw new Error('install it first: apt-get install python3-grpcio');
    const options = {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFileSync('apt-get', ['update', '-qq'], options);
    const packages = ['python3-grpcio', 'curl'];
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', ...packages],
      options,
    );
  }
}

/** The script that runs in the browser, with what it imports. */
async function buildPage() {
  await build({
    entryPoints: [join(here, 'clients/page.ts')],
    outdir: cache,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    logLevel: 'warning',
  });
}
