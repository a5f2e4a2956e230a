// Type-checks and runs logx-otel and otel with both lines of OpenTelemetry: 2.x, which the
// repository has installed, and 3.x with the Node.js that it needs: `npm run conformance:otel`.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..', '..');

/** Versions that belong together. */
const THREE = {
  api: '1.10.0',
  'context-async-hooks': '3.1.0',
  core: '3.1.0',
  'exporter-logs-otlp-grpc': '0.301.0',
  'exporter-logs-otlp-proto': '0.301.0',
  'exporter-prometheus': '0.301.0',
  resources: '3.1.0',
  'sdk-logs': '3.1.0',
  'sdk-metrics': '3.1.0',
  'sdk-trace': '3.1.0',
};
const NODE_OF_THREE = '22.23.3';
const LIBS = ['contracts', 'calls', 'logx', 'hostx', 'logx-otel', 'otel'];

/** Bundles the scenario with everything but OpenTelemetry and grpc-js into `folder`. */
async function bundle(folder) {
  const outfile = join(folder, 'scenario.cjs');
  await build({
    entryPoints: [join(here, 'scenario.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['@opentelemetry/*', '@grpc/grpc-js'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  return outfile;
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}

/** The packages of the 3.x line, and beside them whatever else the repository has. */
function install(folder) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const packages = Object.entries(THREE).map(
    ([name, version]) => `@opentelemetry/${name}@${version}`,
  );
  if (major() < 22) packages.push(`node-${process.platform}-${process.arch}@${NODE_OF_THREE}`);
  run(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--engine-strict=false', ...packages],
    folder,
  );
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const link = join(folder, 'node_modules', name);
    if (!name.startsWith('.') && name !== '@apix' && !existsSync(link)) {
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
  }
}

/** Copies, so that they find the packages of the 3.x line and not those of the repository. */
function typecheck(folder) {
  for (const lib of LIBS) {
    cpSync(join(root, 'libs', lib), join(folder, 'libs', lib), {
      recursive: true,
      filter: (path) => !/(?:[\\/]dist$|[\\/]node_modules$|\.spec\.ts$|\.fixture\.ts$)/.test(path),
    });
  }
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: { noEmit: true, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['libs/logx-otel/src', 'libs/otel/src'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);
}

function major() {
  return Number(process.versions.node.split('.')[0]);
}

const two = mkdtempSync(join(root, 'node_modules', '.otel-two-'));
const three = mkdtempSync(join(tmpdir(), 'apix-otel-three-'));
try {
  console.log(`OpenTelemetry 2.x, Node ${process.versions.node}`);
  run(process.execPath, [await bundle(two)], two);

  install(three);
  typecheck(three);
  console.log('OpenTelemetry 3.x: the sources type-check');
  const own = join(three, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  const node = existsSync(own) ? own : process.execPath;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  console.log(`OpenTelemetry 3.x, Node ${version}`);
  run(node, [await bundle(three)], three);
} finally {
  rmSync(two, { recursive: true, force: true });
  rmSync(three, { recursive: true, force: true });
}
