// Compares clients of one gRPC server: `npm --prefix bench run client [-- --quick]`.
// `--client apix --kind 'unary, small'` measures fewer, each may be given several times; `--before
// <checkout>` adds the client of apix as it is there; `--profile <folder>` leaves CPU profiles;
// `--rounds` and `--slice`, milliseconds of CPU, say how long it takes.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors, run } from '../shapes/build.mjs';

const CLIENTS = [
  'grpc-js',
  'grpc-js, protobuf-es',
  'grpc-js, proto-loader',
  'apix',
  'nice-grpc',
  'connect-node',
  'Nest ClientGrpc',
  'apix, no network',
];
const BEFORE = ['apix, before', 'apix, no network, before'];
const EXTERNAL = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  '@grpc/*',
  '@bufbuild/*',
  '@connectrpc/*',
  'nice-grpc',
  'nice-grpc-client-middleware-deadline',
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    client: { type: 'string', multiple: true, default: CLIENTS },
    kind: { type: 'string', multiple: true, default: [] },
    before: { type: 'string' },
    profile: { type: 'string' },
    rounds: { type: 'string' },
    slice: { type: 'string' },
  },
});
const { quick, client, kind, before, profile } = values;
const { rounds = quick ? '3' : '9', slice = quick ? '300' : '500' } = values;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

try {
  const { descriptors } = await buildDescriptors(folder);
  await bundle(
    ['server', 'bare', 'apix', 'apix-alone', 'nice-grpc', 'connect', 'nest', 'rounds'].map((name) =>
      join(here, `${name}.ts`),
    ),
    folder,
    EXTERNAL,
  );
  if (before !== undefined) {
    await mkdir(join(folder, 'before'));
    const files = ['apix', 'apix-alone'].map((name) => join(here, `${name}.ts`));
    await bundle(files, join(folder, 'before'), EXTERNAL, resolve(before));
  }
  const env = {
    ...process.env,
    SHAPES: descriptors,
    PROTO,
    CLIENTS: [...client, ...(before === undefined ? [] : BEFORE)].join(';'),
    KINDS: kind.join(';'),
    ROUNDS: rounds,
    SLICE_MS: slice,
    WARM_UP_MS: quick ? '1000' : '3000',
    ...(profile !== undefined && { PROFILE: resolve(profile) }),
  };
  await run(join(folder, 'rounds.mjs'), [], { env });
} finally {
  await rm(folder, { recursive: true });
}
