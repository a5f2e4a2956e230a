import { join } from 'node:path';
import { load, measure, median } from './measure.mjs';
import { ended, start } from './processes.mjs';

/** What a user without gRPC would write comes first: the others are held against it. */
const VARIANTS = [
  { name: 'plain controller on Fastify', file: 'plain', env: { ROLE: 'plain' } },
  { name: 'gateway, in-process', file: 'shaped', env: { ROLE: 'in-process' } },
  { name: 'controller that calls gRPC', file: 'plain', env: { ROLE: 'forward' }, backend: true },
  { name: 'gateway, network', file: 'shaped', env: { ROLE: 'network' }, backend: true },
];

const JSON_TYPE = { 'content-type': 'application/json' };
const product = (index) => ({ name: `products/${index}`, title: 'Pot', tags: ['iron'] });
const body = (items) =>
  JSON.stringify({ products: Array.from({ length: items }, (_, index) => product(index)) });

/**
 * `goal` is of the gateway in-process, against the plain controller; what takes long is given so
 * many `times` the time.
 */
const SHAPES = [
  { name: 'GET, path alone', path: '/v1/products/pot', goal: 0.6 },
  {
    name: 'GET, path and query',
    path: '/v1/products/pot?locale=de-AT&limit=20&tags=iron&tags=kitchen',
    goal: 0.6,
  },
  { name: 'list of 100', path: '/v1/products?items=100', goal: 0.9, connections: 16 },
  { name: 'maps, 20 kB', path: '/v1/maps?items=240', connections: 16 },
  { name: 'answer of 1 MB', path: '/v1/products?items=4400', connections: 2, times: 3 },
  { name: 'body of 100 messages', path: '/v1/products', send: 100, connections: 16 },
  { name: 'body of 1 MB', path: '/v1/products', send: 17_000, connections: 2, times: 3 },
  { name: 'stream of 1,000', path: '/v1/stream?items=1000', connections: 4, times: 3 },
];

function requestOf({ path, send }) {
  if (send === undefined) return { path };
  return { path, method: 'POST', headers: JSON_TYPE, body: body(send) };
}

/** One table a shape: how the gateway does beside what is written by hand. */
export async function measureShapes(folder, env, { rounds, seconds, connections }) {
  const running = [];
  try {
    const backend = await start(join(folder, 'shaped.mjs'), { ...env, ROLE: 'backend' });
    running.push({ children: [backend.child] });
    const BACKEND = `127.0.0.1:${backend.port}`;
    for (const { name, file, env: own, backend: needs } of VARIANTS) {
      const front = await start(join(folder, `${file}.mjs`), {
        ...env,
        ...own,
        ...(needs && { BACKEND }),
      });
      const children = needs ? [front.child, backend.child] : [front.child];
      running.push({ name, port: front.port, children });
    }
    for (const shape of SHAPES) {
      const how = {
        connections: shape.connections ?? connections,
        seconds: seconds * (shape.times ?? 1),
      };
      await measureShape(running.slice(1), shape, how, rounds);
    }
  } finally {
    const children = new Set(running.flatMap((one) => one.children));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all([...children].map(ended));
  }
}

async function measureShape(variants, shape, how, rounds) {
  const request = requestOf(shape);
  for (const one of variants) await load(one, request, { ...how, seconds: 1 });
  const results = variants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, one] of variants.entries()) results[i].push(await measure(one, request, how));
  }
  const ratio = (i, key) =>
    median(results[i].map((result, round) => result[key] / results[0][round][key])).toFixed(2);
  console.log(`\n${shape.name}`);
  for (const [i, { name }] of variants.entries()) {
    const column = (key) => median(results[i].map((result) => result[key])).toFixed(0);
    const isOurs = shape.goal !== undefined && name === 'gateway, in-process';
    const met = Number(ratio(i, 'perSecond')) >= shape.goal ? 'yes' : 'NO';
    console.log(
      `${name.padEnd(28)} ${column('perSecond').padStart(6)} requests/s, ratio ` +
        `${ratio(i, 'perSecond')}; CPU ${column('cpuUs').padStart(5)} µs, ratio ${ratio(i, 'cpuUs')}` +
        (isOurs ? ` (goal ${shape.goal}: ${met})` : ''),
    );
  }
}
