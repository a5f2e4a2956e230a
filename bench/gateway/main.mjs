// Compares ways to put REST in front of a gRPC method: a hand-written Nest controller with
// ClientGrpc, the gateway over the network, the gateway in the server's own process.
// `node bench/gateway/main.mjs [rounds] [seconds]`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { build } from 'esbuild';

const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = Number(process.argv[3] ?? 3);
const CONNECTIONS = 64;
const TICKS_PER_SECOND = 100;
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');

/** What is measured; `backend`: it calls one. The first is what the others are held against. */
const VARIANTS = [
  { name: 'controller on Fastify', file: 'hand-written', backend: true },
  { name: 'controller on Express', file: 'hand-written', backend: true, platform: 'express' },
  { name: 'gateway, network', file: 'network', backend: true },
  { name: 'gateway, in-process', file: 'in-process', backend: false },
];

/** Starts a process and waits for its port. */
async function start(file, env) {
  const args = process.env['PROFILE']
    ? ['--cpu-prof', `--cpu-prof-dir=${process.env['PROFILE']}`]
    : [];
  const child = spawn(process.execPath, [...args, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve) => child.stdout.once('data', resolve));
  return { child, port: JSON.parse(String(line)).port };
}

/** Seconds of CPU that a process has used, user and system. */
function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function load(port, seconds) {
  const url = `http://127.0.0.1:${port}/v1/products/pot`;
  return autocannon({ url, connections: CONNECTIONS, duration: seconds });
}

async function measure({ port, children }) {
  const before = children.map(cpuOf);
  const { requests, non2xx } = await load(port, SECONDS);
  if (non2xx > 0) throw new Error(`${non2xx} answers were no 2xx`);
  const cpu = children.reduce((sum, child, i) => sum + cpuOf(child) - before[i], 0);
  return { perSecond: requests.average, cpuUs: (cpu / requests.total) * 1e6 };
}

function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode === null) child.once('close', resolve);
    else resolve();
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
const children = [];
try {
  await build({
    entryPoints: ['backend', 'hand-written', 'network', 'in-process'].map((name) =>
      join(here, `${name}.ts`),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@nestjs/*', 'reflect-metadata', 'rxjs', '@grpc/grpc-js', '@bufbuild/protobuf'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  const descriptors = { DESCRIPTORS: join(root, 'apps/demo/gen/shop.binpb') };
  const running = [];
  for (const variant of VARIANTS) {
    const own = [];
    const env = { ...descriptors, PROTO: join(here, 'catalog.proto') };
    if (variant.platform !== undefined) env.PLATFORM = variant.platform;
    if (variant.backend) {
      const backend = await start(join(folder, 'backend.mjs'), env);
      own.push(backend.child);
      env.BACKEND = `127.0.0.1:${backend.port}`;
    }
    const front = await start(join(folder, `${variant.file}.mjs`), env);
    own.push(front.child);
    children.push(...own);
    const body = await (await fetch(`http://127.0.0.1:${front.port}/v1/products/pot`)).text();
    running.push({ variant, port: front.port, children: own, bytes: body.length, results: [] });
  }
  for (const one of running) await load(one.port, 2);
  // One of each in turn, so that a noisy moment of the machine hits all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of running) one.results.push(await measure(one));
  }
  console.log(
    `medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, Node ${process.version}`,
  );
  const figures = running.map(({ variant, bytes, results }) => ({
    name: variant.name,
    bytes,
    perSecond: median(results.map((one) => one.perSecond)),
    cpuUs: median(results.map((one) => one.cpuUs)),
  }));
  const [first] = figures;
  for (const { name, bytes, perSecond, cpuUs } of figures) {
    console.log(
      `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} requests/s, ratio ` +
        `${(perSecond / first.perSecond).toFixed(2)}; CPU ${cpuUs.toFixed(0)} µs a request, ratio ` +
        `${(cpuUs / first.cpuUs).toFixed(2)}; ${bytes} bytes`,
    );
  }
  console.log('goals: gateway over the network 1.15, in-process 4.00 with CPU 0.25');
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(ended));
  await rm(folder, { recursive: true });
}
