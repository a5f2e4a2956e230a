// Compares clients of one gRPC server: `npm --prefix bench run client [-- --quick]`.
// `--client apix --kind 'unary, small'` measures fewer, each as often as it is given; `--before
// <checkout>` adds the client of apix as it is there; `--profile <folder>` leaves CPU profiles.
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
];
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
  },
});
const { quick, client, kind, before, profile } = values;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

try {
  const { descriptors } = await buildDescriptors(folder);
  await bundle(
    ['server', 'bare', 'apix', 'nice-grpc', 'connect', 'nest', 'rounds'].map((name) =>
      join(here, `${name}.ts`),
    ),
    folder,
    EXTERNAL,
  );
  if (before !== undefined) {
    await mkdir(join(folder, 'before'));
    await bundle([join(here, 'apix.ts')], join(folder, 'before'), EXTERNAL, resolve(before));
  }
  const env = {
    ...process.env,
    SHAPES: descriptors,
    PROTO,
    CLIENTS: [...client, ...(before === undefined ? [] : ['apix, before'])].join(';'),
    KINDS: kind.join(';'),
    ROUNDS: quick ? '3' : '9',
    SLICE_MS: quick ? '300' : '500',
    WARM_UP_MS: quick ? '1000' : '3000',
    ...(profile !== undefined && { PROFILE: resolve(profile) }),
  };
  await run(join(folder, 'rounds.mjs'), [], { env });
} finally {
  await rm(folder, { recursive: true });
}
