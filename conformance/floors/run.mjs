// Gives each package the lowest versions of its peers that it allows, optional ones included:
//  - alone, outside the workspace, they are installed without a complaint of npm, and everything
//    that its exports name loads;
//  - its tests pass with them, in a copy of the repository.
// Expects `npm run build`.  node conformance/floors/run.mjs [--quick] [package...]
// --quick loads without compiling, and runs the tests that reach a peer instead of all.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  COMPILER,
  checkTree,
  entriesOf,
  importEntries,
  inFolder,
  install,
  loadEntries,
} from '../packages/alone.mjs';
import { startRegistry } from '../packages/registry.mjs';
import { floorsOf, sharedFloors } from './lowest.mjs';
import { inCopy, testsIn } from './suite.mjs';

/** Tests that reach the peers, a few of each package. */
const CORE = [
  'authz/src/jwt',
  'authz/src/nest/stock-grpc',
  'authz/src/nest/message-doors',
  'contracts/src/grpc',
  'contracts/src/nest',
  'cron/src/bullmq',
  'cron/src/nest',
  'gateway/src/http/websocket',
  'gateway/src/nest',
  'gateway/src/openapi',
  'grpc/src/in-process/transports',
  'grpc/src/nest/grpc-server.spec',
  'grpc/src/nest/request-stream',
  'grpc/src/reflection',
  'grpc/src/validation',
  'hostx/src/nest/health',
  'hostx/src/nest/explorer',
  'hostx/src/nest/existing-app',
  'hostx-os/src/nest',
  'hostx-otel/src',
  'logx/src/nest/logx.module',
  'logx/src/nest/grpc',
  'logx-elastic/src/sink',
  'logx-otel/src/outlet',
  'logx-otel/src/sink',
  'proto/src/json/json-codec.spec',
  'proto/src/nest',
  'swagger-ui/src/nest',
];

const asked = process.argv.slice(2).filter((argument) => argument !== '--quick');
const quick = process.argv.includes('--quick');
const registry = await startRegistry();
const all = registry.names.map((name) => registry.manifestOf(name));
const manifests = all.filter(({ name }) => asked.length === 0 || asked.includes(name));
const [tests, alone] = await Promise.all([testAll(), tryAll()]).finally(() => registry.close());
let failures = 0;
for (const { name } of manifests) {
  const { passed, failures: failed } = tests.get(folderOf(name)) ?? {
    passed: 0,
    failures: ['none of its tests ran'],
  };
  const { versions, mistake } = alone.get(name);
  const mistakes = mistake === undefined ? failed : [mistake, ...failed];
  if (mistakes.length === 0) {
    console.log(`ok  ${name}: ${versions.join(', ') || 'no peers'}; ${passed} tests`);
  } else {
    failures += 1;
    console.error(`FAILED  ${name}: ${passed} tests passed\n  ${mistakes.join('\n  ')}`);
  }
}
console.log(`${manifests.length - failures} passed, ${failures} failed`);
if (failures > 0) process.exitCode = 1;

async function testAll() {
  try {
    const libs = manifests.map(({ name }) => `${folderOf(name)}/`);
    const paths = quick ? CORE.filter((path) => libs.some((lib) => path.startsWith(lib))) : libs;
    return await inCopy(sharedFloors(all), (folder) =>
      testsIn(
        folder,
        paths.map((path) => `libs/${path}`),
      ),
    );
  } catch (error) {
    const failed = { passed: 0, failures: [`the tests did not run: ${told(error)}`] };
    return new Map(manifests.map(({ name }) => [folderOf(name), failed]));
  }
}

async function tryAll() {
  const results = new Map();
  for (const manifest of manifests) {
    const result = await inFolder(registry, (folder) => tryAlone(manifest, folder)).then(
      (versions) => ({ versions }),
      (error) => ({ mistake: told(error) }),
    );
    results.set(manifest.name, result);
  }
  return results;
}

async function tryAlone(manifest, folder) {
  const floors = Object.entries(floorsWithSiblings(manifest));
  const peers = floors.map(([peer, version]) => `${peer}@${version}`);
  await install(folder, [manifest.name, ...peers, ...(quick ? [] : COMPILER)]);
  await checkTree(folder);
  for (const [peer, version] of floors) {
    const file = join(folder, 'node_modules', peer, 'package.json');
    const installed = JSON.parse(await readFile(file, 'utf8')).version;
    if (installed !== version) throw new Error(`${peer} is ${installed} instead of ${version}`);
  }
  await (quick ? importEntries : loadEntries)(folder, entriesOf(manifest));
  return Object.entries(floorsOf(manifest)).map(([peer, version]) => `${peer} ${version}`);
}

/** Also the peers of the packages of ours that a package brings along; its own come first. */
function floorsWithSiblings(manifest) {
  const siblings = Object.keys(manifest.dependencies ?? {})
    .filter((name) => registry.names.includes(name))
    .map((name) => floorsWithSiblings(registry.manifestOf(name)));
  return Object.assign({}, ...siblings, floorsOf(manifest));
}

/** What a command that failed said; its stderr is part of the message. */
function told({ message, stdout = '' }) {
  return `${message}\n${stdout}`.trim();
}

function folderOf(name) {
  return name.slice('@apix/'.length);
}
