import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { grpcKinds } from './grpc-kinds.js';
import { Load } from './load.js';
import { restKinds } from './rest-kinds.js';
import { ShopProcess } from './shop-process.js';
import { type HeapReading, bytesPerRequest } from './trend.js';

const USAGE = `Loads the demo with everything it has, and looks whether its heap grows.

  --minutes <n>     how long; default 60
  --rate <n>        requests a second, all kinds together; default 50
  --warm-up <n>     minutes whose readings do not count; default a quarter of all
  --limit <n>       bytes by which the heap may grow a request; default 16
  --snapshots <dir> writes a heap snapshot after the warm-up and one at the end

GRPC_STACK=http2 soaks our own HTTP/2 in place of grpc-js.

Every minute it prints what is left of the heap after a collection, at the end the trend and the
errors by kind. Exit code 1 when there was an error, the heap grows, or the demo did not end with 0.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '50' },
    'warm-up': { type: 'string' },
    limit: { type: 'string', default: '16' },
    snapshots: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const minutes = Number(values.minutes);
const warmUp = Number(values['warm-up'] ?? Math.floor(minutes / 4));
const limit = Number(values.limit);
const rate = Number(values.rate);
if (!(minutes > 0 && rate > 0 && limit > 0 && warmUp >= 0 && minutes - warmUp >= 2)) {
  throw new Error('soak: --minutes must be at least 2 more than --warm-up, all above 0');
}

execFileSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build', 'demo'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const shop = await ShopProcess.start(process.cwd());
const grpc = grpcKinds(shop.addresses);
const load = new Load([...restKinds(shop.addresses), ...grpc.kinds], rate);
const readings: HeapReading[] = [];
const told = new Map<string, number>();
const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(2).padStart(8);

console.log(`${rate} requests/s for ${minutes} minutes, Node ${process.version}`);
console.log('minute  requests  errors   heap MB  external  buffers  resident');
load.start();
for (let minute = 1; minute <= minutes && shop.isAlive; minute++) {
  await sleep(60_000);
  const { heapUsed, external, arrayBuffers, rss } = await shop.memory();
  const requests = load.answered;
  if (minute > warmUp) readings.push({ requests, bytes: heapUsed });
  console.log(
    `${String(minute).padStart(6)}  ${String(requests).padStart(8)}  ` +
      `${String(errorCount()).padStart(6)}  ${mb(heapUsed)}  ${mb(external)} ${mb(arrayBuffers)}  ${mb(rss)}`,
  );
  for (const [what, count] of load.errors) {
    const before = told.get(what) ?? 0;
    if (count > before) console.log(`        ${count - before} x ${what}`);
    told.set(what, count);
  }
  if (values.snapshots !== undefined && (minute === warmUp + 1 || minute === minutes)) {
    await shop.writeSnapshot(`${values.snapshots}/minute-${minute}.heapsnapshot`);
  }
}
await load.stop();
grpc.close();
const wasAlive = shop.isAlive;
const exitCode = await shop.stop();

console.log('');
for (const [kind, count] of load.byKind) console.log(`${String(count).padStart(8)}  ${kind}`);
for (const [what, count] of load.errors) console.log(`${String(count).padStart(8)}  ERROR ${what}`);
const slope = bytesPerRequest(readings);
const problems = [
  ...(wasAlive ? [] : ['the demo ended under the load']),
  ...(exitCode === 0 ? [] : [`the demo ended with ${exitCode}`]),
  ...(errorCount() === 0 ? [] : [`${errorCount()} errors`]),
  ...(load.skipped === 0 ? [] : [`${load.skipped} requests were not begun, for 500 were waiting`]),
  ...(slope <= limit ? [] : ['the heap grows']),
];
console.log(
  `\nheap: ${slope.toFixed(1)} bytes a request over ${readings.length} readings (at most ${limit})`,
);
console.log(problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`);
process.exit(problems.length === 0 ? 0 : 1);

function errorCount(): number {
  return [...load.errors.values()].reduce((sum, count) => sum + count, 0);
}
