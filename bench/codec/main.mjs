// What reading and writing messages costs, against protobuf-es, protobufjs' static code and JSON,
// and what bad documents cost: `npm --prefix bench run codec [-- --quick]`.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const quick = process.argv.includes('--quick');
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
const { resolve } = createRequire(import.meta.url);

function run(script, args, env = {}) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${script}: ${code}`))));
  });
}

try {
  const descriptors = join(folder, 'codec.binpb');
  const generated = join(folder, 'static.cjs');
  const buf = resolve('@bufbuild/buf/package.json');
  await run(join(buf, '..', 'bin/buf'), [
    'build',
    here,
    '--config',
    '{"version":"v2"}',
    '-o',
    descriptors,
  ]);
  const pbjs = join(resolve('protobufjs-cli/package.json'), '..', 'bin/pbjs');
  const proto = join(here, 'codec.proto');
  await run(pbjs, ['-t', 'static-module', '-w', 'commonjs', '-o', generated, proto]);
  await build({
    entryPoints: ['speed', 'bad'].map((name) => join(here, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@bufbuild/protobuf'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  const env = {
    DESCRIPTORS: descriptors,
    STATIC: pathToFileURL(generated).href,
    ROUNDS: quick ? '3' : '11',
    SLICE_MS: quick ? '8' : '20',
    BAD_ROUNDS: quick ? '1' : '3',
  };
  await run(join(folder, 'speed.mjs'), [], env);
  await run(join(folder, 'bad.mjs'), [], env);
} finally {
  await rm(folder, { recursive: true });
}
