// What tracing costs: gRPC calls at 100 % and 0 % beside a server without it, and HTTP on Fastify beside
// OpenTelemetry's instrumentations in an app of Nest 11: `npm --prefix bench run tracing [-- --quick]`.
// `--part grpc`, `http` or `providers`, a call of a method with and without a span, measures one of them; `--rounds` and `--slice`, milliseconds, say
// how long. The client is another process than the server.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installed } from '../../conformance/installed.mjs';
import { bundle } from '../bundle.mjs';
import { buildDescriptors, run } from '../shapes/build.mjs';

const EXTERNAL = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  '@grpc/*',
  '@bufbuild/*',
  '@opentelemetry/*',
  'autocannon',
  'yaml',
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: ['grpc', 'http', 'providers'] },
    rounds: { type: 'string' },
    slice: { type: 'string' },
  },
});
const { quick, part } = values;
const { rounds = quick ? '3' : '9', slice = quick ? '800' : '1000' } = values;
const here = fileURLToPath(new URL('.', import.meta.url));
const nest11 = join(here, 'nest11');
if (part.includes('http')) installed(nest11);
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

try {
  const { descriptors } = await buildDescriptors(folder);
  const files = ['http-app', 'grpc-app', 'rounds', 'providers'].map((name) =>
    join(here, `${name}.ts`),
  );
  await bundle(files, folder, EXTERNAL);
  const env = {
    ...process.env,
    SHAPES: descriptors,
    NEST_11: nest11,
    PARTS: part.join(','),
    ROUNDS: rounds,
    SLICE_MS: slice,
    WARM_UP_MS: quick ? '2000' : '4000',
  };
  if (part.some((one) => one !== 'providers')) await run(join(folder, 'rounds.mjs'), [], { env });
  if (part.includes('providers')) await run(join(folder, 'providers.mjs'), [], { env });
} finally {
  await rm(folder, { recursive: true });
}
