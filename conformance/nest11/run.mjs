// Installs NestJS 11 in a copy of the repository, compiles everything there, and runs the tests that
// reach Nest.  node conformance/nest11/run.mjs [--quick] [path...]
// --quick runs those in folders called nest, in three minutes: without the tests that take longest, those of the
// demo, and those that conformance/floors --quick runs with the lowest NestJS 11; with paths only the tests below
// them run.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CORE } from '../floors/core-tests.mjs';
import { NEST_11 } from '../floors/nest-sets.mjs';
import { inCopy, testsIn } from '../floors/suite.mjs';
import { testsReachingNest } from './reaching.mjs';

const NOT_QUICK = [
  'libs/authz/src/nest/certificate-doors',
  'libs/authz/src/nest/handler-conditions',
  'libs/authz/src/nest/subject-failures',
  'libs/gateway/src/nest/early-answers',
  'libs/gateway/src/nest/http2-answers',
  'libs/gateway/src/nest/network-policies',
  'libs/gateway/src/nest/path-spellings',
  'libs/grpc/src/nest/compression',
  'libs/grpc/src/nest/direct-handler',
  'libs/grpc/src/nest/unread-answers',
  'libs/hostx/src/nest/boot.spec',
  'libs/hostx/src/nest/drain.spec',
  'libs/hostx/src/nest/process.spec',
  'libs/logx/src/nest/contexts.spec',
  'libs/logx/src/nest/grpc.spec',
  'libs/logx/src/nest/http.spec',
  'libs/logx/src/nest/migration',
  'libs/logx/src/nest/refused-requests',
  ...CORE.map((path) => `libs/${path}`),
];

/** Sources that Nest's types are used in. */
const TSCONFIG = {
  extends: './tsconfig.json',
  include: ['libs/*/src', 'apps/*/src', 'apps/*/test'],
};

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const asked = process.argv.slice(2).filter((argument) => argument !== '--quick');
const quick = process.argv.includes('--quick');
const begun = performance.now();
let failures = 0;

await inCopy(NEST_11, (folder) => Promise.all([compile(folder), test(folder)]), [
  // The demo keeps its orders in it.
  '@electric-sql/pglite',
  // Generates the messages of generated controllers.
  '@bufbuild/protoc-gen-es',
]);
const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(`${failures === 0 ? 'everything passed' : `${failures} failed`}, ${seconds} s`);
if (failures > 0) process.exitCode = 1;

async function compile(folder) {
  await writeFile(join(folder, 'tsconfig.nest11.json'), JSON.stringify(TSCONFIG));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const wrong = await run(
    process.execPath,
    [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', 'tsconfig.nest11.json'],
    { cwd: folder, env },
  ).then(
    () => undefined,
    ({ stdout, message }) => stdout || message,
  );
  report('types', wrong === undefined ? [] : [wrong.trim()], 'compile');
}

async function test(folder) {
  const reaching = await testsReachingNest(root);
  const chosen = reaching.filter((path) =>
    asked.length > 0 ? asked.some((it) => path.startsWith(it)) : !quick || isQuick(path),
  );
  console.log(`${chosen.length} of ${reaching.length} test files that reach Nest`);
  for (const [name, tests] of await testsIn(folder, chosen)) {
    report(name, tests.failures, `${tests.passed} tests`);
  }
}

function isQuick(path) {
  return /^libs\/[^/]+\/src\/nest\//.test(path) && !NOT_QUICK.some((it) => path.startsWith(it));
}

function report(name, wrong, passed) {
  failures += wrong.length;
  if (wrong.length === 0) console.log(`ok  ${name}: ${passed}`);
  else console.error(`FAILED  ${name}\n  ${wrong.join('\n  ')}`);
}
