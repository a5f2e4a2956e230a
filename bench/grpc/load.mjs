// The CPU that servers take for a small unary call, driven by h2load (Debian's nghttp2-client), which is
// never the bottleneck: `npm --prefix bench run load -- [--rounds 5] [--seconds 2] [--only NAME] [CHECKOUT...]`.
// Servers of other checkouts run in the same rounds.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors } from '../shapes/build.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});
const SERVERS = [
  ['stock Nest', 'nest'],
  ['grpc-js, protobuf-es', 'bare', 'es'],
  ['apix, neither log nor authz', 'apix', 'bare'],
  ['apix, log and authz', 'apix', 'chain'],
  ['apix http2 stack, neither log nor authz', 'apix', 'bare', 'http2'],
  ['apix http2 stack, log and authz', 'apix', 'chain', 'http2'],
];
const EXTERNALS = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  '@grpc/*',
  '@bufbuild/*',
  'pino',
  'yaml',
];
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
const h2load = promisify(execFile);

try {
  const { descriptors, guarded } = await buildDescriptors(folder);
  const env = {
    ...process.env,
    SHAPES: descriptors,
    GUARDED: guarded,
    PROTO,
    LOG: join(folder, 'calls.log'),
  };
  const request = join(folder, 'get');
  // GetRequest { name: "products/1" }, as one uncompressed message.
  await writeFile(request, Buffer.from([0, 0, 0, 0, 12, 0x0a, 10, ...Buffer.from('products/1')]));
  const targets = [];
  for (const checkout of [join(here, '../..'), ...positionals.map((path) => resolve(path))]) {
    const isOther = positionals.length > 0 && targets.length > 0;
    const out = join(folder, String(targets.length));
    await mkdir(out);
    const files = ['bare', 'nest', 'apix'].map((name) =>
      join(checkout, 'bench/grpc', `${name}.ts`),
    );
    await bundle(files, out, EXTERNALS, checkout);
    for (const [name, file, ...args] of SERVERS) {
      if (values.only !== undefined && !name.includes(values.only)) continue;
      if (isOther && file !== 'apix') continue;
      const shown = isOther ? `${name}, ${basename(checkout)}` : name;
      targets.push({ name: shown, ...(await serve(join(out, `${file}.mjs`), args, env)) });
    }
  }
  await measure(targets, request);
  for (const { child } of targets) child.disconnect();
} finally {
  await rm(folder, { recursive: true });
}

async function serve(script, args, env) {
  const child = fork(script, args, { env });
  const [{ port }] = await once(child, 'message');
  return { child, port, readings: [] };
}

async function measure(targets, request) {
  for (const target of targets) await load(target, request);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const target of targets) target.readings.push(await load(target, request));
  }
  console.log(`Medians of ${values.rounds} rounds of ${values.seconds} s, Node ${process.version}`);
  for (const { name, readings } of targets) {
    const [cpu, rate] = ['cpu', 'rate'].map((key) => median(readings.map((one) => one[key])));
    console.log(
      `${name.padEnd(44)} ${cpu.toFixed(1).padStart(6)} µs ${rate.toFixed(0).padStart(7)} calls/s`,
    );
  }
}

async function load({ name, child, port }, request) {
  const before = await cpuOf(child);
  const { stdout } = await h2load('h2load', [
    '-c4',
    '-m16',
    `-D${values.seconds}`,
    `--data=${request}`,
    '--header=content-type: application/grpc',
    '--header=te: trailers',
    '--header=x-role: staff',
    `http://127.0.0.1:${port}/bench.shapes.Shop/Get`,
  ]);
  const [, good, bad] = stdout.match(/(\d+) succeeded, (\d+) failed/) ?? [];
  if (!(Number(good) > 0) || Number(bad) > 0) throw new Error(`${name}: ${stdout}`);
  const count = Number(good);
  return {
    cpu: (((await cpuOf(child)) - before) * 1_000) / count,
    rate: count / Number(values.seconds),
  };
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ cpuMs }] = await once(child, 'message');
  return cpuMs;
}

function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
}
