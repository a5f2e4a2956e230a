// Compares gRPC servers, from grpc-js alone to a service of Nest and one of apix that logs and
// authorizes: `npm --prefix bench run grpc [-- --quick]`.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors, run } from '../shapes/build.mjs';

const quick = process.argv.includes('--quick');
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

try {
  const { descriptors, guarded } = await buildDescriptors(folder);
  await bundle(
    ['bare', 'nest', 'apix', 'rates'].map((name) => join(here, `${name}.ts`)),
    folder,
    ['@nestjs/*', 'reflect-metadata', 'rxjs', '@grpc/*', '@bufbuild/*', 'pino', 'yaml'],
  );
  const env = {
    ...process.env,
    SHAPES: descriptors,
    GUARDED: guarded,
    PROTO,
    LOG: join(folder, 'calls.log'),
    ROUNDS: quick ? '3' : '9',
    SLICE_MS: quick ? '300' : '500',
    WARM_UP_MS: quick ? '3000' : '5000',
  };
  await run(join(folder, 'rates.mjs'), [], { env });
} finally {
  await rm(folder, { recursive: true });
}
