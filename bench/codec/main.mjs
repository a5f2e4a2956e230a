// What reading and writing messages costs, against protobuf-es, protobufjs' static code and JSON,
// and what bad documents cost: `npm --prefix bench run codec [-- --quick]`.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors, run } from '../shapes/build.mjs';

const quick = process.argv.includes('--quick');
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

try {
  const { descriptors } = await buildDescriptors(folder);
  const generated = join(folder, 'static.cjs');
  const { resolve } = createRequire(import.meta.url);
  const pbjs = join(resolve('protobufjs-cli/package.json'), '..', 'bin/pbjs');
  await run(pbjs, ['-t', 'static-module', '-w', 'commonjs', '-o', generated, PROTO]);
  await bundle(
    ['speed', 'bad'].map((name) => join(here, `${name}.ts`)),
    folder,
    ['@bufbuild/protobuf'],
  );
  const env = {
    DESCRIPTORS: descriptors,
    STATIC: pathToFileURL(generated).href,
    ROUNDS: quick ? '3' : '11',
    SLICE_MS: quick ? '8' : '20',
    BAD_ROUNDS: quick ? '1' : '5',
  };
  await run(join(folder, 'speed.mjs'), [], { env: { ...process.env, ...env } });
  await run(join(folder, 'bad.mjs'), [], { env: { ...process.env, ...env } });
} finally {
  await rm(folder, { recursive: true });
}
