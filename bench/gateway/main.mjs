// Compares ways to put REST in front of a gRPC method, and what a long stream does to memory:
// `npm --prefix bench run gateway [rounds] [seconds] [-- --quick] [--only network]`: with `--only`, the first variant
// and those whose name has the text, and nothing of streams; `--only streams`, `--only protocols`,
// `--only mcp`: those alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors } from '../shapes/build.mjs';
import { load, measure, median } from './measure.mjs';
import { ended, start } from './processes.mjs';
import { measureProtocols } from './protocols.mjs';
import { measureShapes } from './shapes.mjs';
import { slowReaders } from './slow-readers.mjs';
import { measureTools } from './tools.mjs';
import { streamMemory } from './stream-memory.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const ROUNDS = Number(positionals[0] ?? 3);
/** How often each variant is started: two processes of the same one differ for as long as they run. */
const STARTS = values.quick ? 1 : 3;
const SECONDS = Number(positionals[1] ?? (values.quick ? 0.5 : 1));
const CONNECTIONS = 64;
/** V8 still compiles functions of a process after 30,000 requests. */
const WARM_UP_SECONDS = values.quick ? 1.5 : 6;
/** Of each server, where requests are counted and not seconds. */
const WARM_UP_REQUESTS = values.quick ? 10_000 : 30_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');

const REST = { path: '/v1/products/pot' };
const CONNECT = {
  path: '/shop.v1.Catalog/Get',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"products/pot"}',
};
const OWN = { PORT_OF_ITS_OWN: 'yes' };

/** What is measured; `backend`: which one it calls. The first is what the others are held against. */
const VARIANTS = [
  { name: 'controller on Fastify', file: 'hand-written', backend: 'backend', request: REST },
  {
    name: 'controller on Express',
    file: 'hand-written',
    backend: 'backend',
    request: REST,
    env: { PLATFORM: 'express' },
  },
  { name: 'connect-node, network', file: 'connect', backend: 'backend', request: CONNECT },
  { name: 'connect-node, one process', file: 'connect', request: CONNECT },
  { name: 'grpc-js client, no REST', file: 'direct', backend: 'backend' },
  { name: 'gateway, network', file: 'network', backend: 'backend', request: REST, env: OWN },
  {
    name: 'gateway, node:http2',
    file: 'network',
    backend: 'backend',
    request: REST,
    env: { ...OWN, STACK: 'http2' },
  },
  { name: 'the same, in Fastify', file: 'network', backend: 'backend', request: REST },
  {
    name: 'the same, light backend',
    file: 'network',
    backend: 'light-backend',
    request: REST,
    env: { ...OWN, STACK: 'http2' },
  },
  { name: 'bare node:http and http2', file: 'bare', backend: 'backend', request: REST },
  { name: 'gateway, in-process', file: 'in-process', request: REST, env: OWN },
  { name: 'the same, in Fastify', file: 'in-process', request: REST },
];

const STREAMS_ALONE = values.only === 'streams';
const PROTOCOLS_ALONE = values.only === 'protocols';
const TOOLS_ALONE = values.only === 'mcp';
const ASKED = VARIANTS.filter(
  ({ name }, at) => at === 0 || values.only === undefined || name.includes(values.only),
);

async function startVariant(variant, folder, env) {
  const children = [];
  const own = { ...env, ...variant.env };
  if (variant.backend) {
    const backend = await start(join(folder, `${variant.backend}.mjs`), env);
    children.push(backend.child);
    own.BACKEND = `127.0.0.1:${backend.port}`;
  }
  const front = await start(join(folder, `${variant.file}.mjs`), own);
  children.unshift(front.child);
  return { variant, name: variant.name, port: front.port, children };
}

/** Other shapes of messages, and streams. */
async function measureMore(folder, env, how) {
  await measureShapes(folder, env, { ...how, rounds: ROUNDS });
  await measureOthers(folder, env, how);
  await measureCallsOfTools(folder, env, how);
  await measureStreams(folder, env);
}

/** The protocols beside REST. */
function measureOthers(folder, env, how) {
  const more = { starts: STARTS, rounds: ROUNDS, warmUp: WARM_UP_REQUESTS };
  return measureProtocols(folder, env, { ...how, ...more });
}

/** Tools of agents. */
function measureCallsOfTools(folder, env, how) {
  const more = { starts: STARTS, rounds: ROUNDS, warmUp: WARM_UP_REQUESTS };
  return measureTools(folder, env, { ...how, ...more });
}

async function measureStreams(folder, env) {
  for (const transport of ['network', 'node:http2', 'in-process']) {
    const { perSecond, before, peak, megabytes } = await streamMemory(folder, env, transport);
    console.log(
      `stream of 100,000 messages (${megabytes.toFixed(0)} MB), ${transport}: ` +
        `${perSecond.toFixed(0)} messages/s; memory ${before.toFixed(0)} MB before, ` +
        `${peak.toFixed(0)} MB at most`,
    );
  }
  for (const transport of ['network', 'node:http2']) {
    const seen = await slowReaders(folder, env, transport);
    console.log(
      `1,000 slow readers of 4 MB each, ${transport}: a call beside them takes ` +
        `${seen.beside.toFixed(1)} ms at p99 (${seen.alone.toFixed(1)} without them); memory ` +
        `${seen.before.toFixed(0)} MB before, ${seen.held.toFixed(0)} MB with them, ` +
        `${seen.later.toFixed(0)} MB after 300 calls; ${seen.finished} of ${seen.of} streams that ` +
        'were read on came whole',
    );
  }
}

/**
 * Measures a variant beside the first, which was started with it and has as much to do, by turns and with nothing else: a
 * process that was idle for seconds is slower at first, and a machine that is shared is another one after them.
 */
async function measureBeside(one, first, running, folder, env, how) {
  const pair = one === first ? [one] : [first, one];
  for (const { variant } of pair) running.push(await startVariant(variant, folder, env));
  for (const each of running) {
    await load(each, each.variant.request, { ...how, seconds: WARM_UP_SECONDS });
  }
  const ask = (each) => measure(each, each.variant.request, how);
  for (let round = 0; round < ROUNDS; round++) {
    const beside = await ask(running[0]);
    one.besides.push(beside);
    one.results.push(one === first ? beside : await ask(running[1]));
  }
  await stopAll(running.splice(0));
}

async function stopAll(running) {
  const children = running.flatMap((one) => one.children);
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(ended));
}

/** Measures the variants several times, and prints how they do. */
async function compare(running, folder, env, how) {
  const measured = ASKED.map((variant) => ({ variant, results: [], besides: [] }));
  for (let start = 0; start < STARTS; start++) {
    for (const one of measured) await measureBeside(one, measured[0], running, folder, env, how);
  }
  const column = (one, key) => median(one.results.map((result) => result[key]));
  const ratio = (one, key) =>
    median(one.results.map((result, round) => result[key] / one.besides[round][key]));
  console.log(
    `${CONNECTIONS} connections, medians of ${STARTS} starts with ${ROUNDS} rounds of ${SECONDS} s, each right after one of the first, ` +
      `Node ${process.version}`,
  );
  for (const one of measured) {
    console.log(
      `${one.variant.name.padEnd(25)} ${column(one, 'perSecond').toFixed(0).padStart(6)} ` +
        `requests/s, ratio ${ratio(one, 'perSecond').toFixed(2)}; CPU of all processes ` +
        `${column(one, 'cpuUs').toFixed(0).padStart(4)} µs a request, ratio ` +
        `${ratio(one, 'cpuUs').toFixed(2)} (front ${column(one, 'frontUs').toFixed(0)}, backend ` +
        `${column(one, 'backendUs').toFixed(0)}, load ${column(one, 'loadUs').toFixed(0)} µs)`,
    );
  }
  console.log(
    'goals: gateway, node:http2 1.70 on Node 20 and 1.80 on Node 24; in-process 5.00 and 6.00',
  );
}

const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
const running = [];
try {
  await bundle(
    [
      'backend',
      'light-backend',
      'bare',
      'hand-written',
      'connect',
      'direct',
      'network',
      'in-process',
      'stream',
      'plain',
      'shaped',
      'tool-app',
      'tool-sdk',
    ].map((name) => join(here, `${name}.ts`)),
    folder,
    [
      '@nestjs/*',
      'reflect-metadata',
      'rxjs',
      '@grpc/grpc-js',
      '@bufbuild/protobuf',
      '@connectrpc/*',
      '@modelcontextprotocol/*',
      'pino',
      'yaml',
      'zod',
    ],
  );
  const { descriptors } = await buildDescriptors(folder);
  const env = {
    DESCRIPTORS: join(root, 'apps/demo/gen/shop.binpb'),
    TRANSCODING: join(root, 'libs/gateway/testdata/transcoding.binpb'),
    PROTO: join(here, 'catalog.proto'),
    SHAPES: descriptors,
    SHAPES_PROTO: PROTO,
  };
  const how = { connections: CONNECTIONS, seconds: SECONDS };
  if (!STREAMS_ALONE && !PROTOCOLS_ALONE && !TOOLS_ALONE) await compare(running, folder, env, how);
  if (values.only === undefined) await measureMore(folder, env, how);
  else if (STREAMS_ALONE) await measureStreams(folder, env);
  else if (PROTOCOLS_ALONE) await measureOthers(folder, env, how);
  else if (TOOLS_ALONE) await measureCallsOfTools(folder, env, how);
} finally {
  await stopAll(running);
  await rm(folder, { recursive: true });
}
