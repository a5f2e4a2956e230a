import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readFileSync } from 'node:fs';
import { Gateway, networkUpstream } from '@apix/gateway/core';
import { webSockets } from '@apix/gateway/websocket';
import { ProtoRegistry } from '@apix/proto/core';
import { startEchoServer } from '../../libs/gateway/src/fixtures/echo-server.fixture.js';
import { fuzz } from '../../libs/gateway/src/fixtures/fuzz/fuzz.fixture.js';
import { ask, serve } from '../../libs/gateway/src/fixtures/serve.fixture.js';

/** How much more memory may be in use after the run than after its first tenth, in MB. */
const GROWTH_MB = 32;

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 20_260_101);
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const descriptors = readFileSync(join(process.cwd(), 'libs/gateway/testdata/transcoding.binpb'));
const registry = ProtoRegistry.load(new Uint8Array(descriptors));
// Half of the requests over each implementation of gRPC, the same ones.
const overGrpcJs = await fuzzOver('grpc-js', Math.ceil(count / 2));
const overHttp2 = await fuzzOver('http2', Math.ceil(count / 2));
const differing = [...overGrpcJs.entries()].filter(
  ([index, status]) => overHttp2[index] !== status,
);
for (const [index, status] of differing.slice(0, 10)) {
  console.log(`request ${index}: ${status} over grpc-js, ${overHttp2[index]} over http2`);
}
if (differing.length > 0) {
  console.log(`FAILED: ${differing.length} requests are answered otherwise over http2`);
  process.exitCode = 1;
}

/** The status of each request. */
async function fuzzOver(stack: 'grpc-js' | 'http2', requests: number): Promise<readonly number[]> {
  const echo = await startEchoServer(registry);
  const upstream = networkUpstream({ endpoint: echo.endpoint, stack });
  const gateway = new Gateway(registry, upstream, { webSockets: webSockets() });
  const served = await serve(gateway.handle);
  gateway.serveUpgrades(served.server);

  const begun = performance.now();
  let peakMb = 0;
  const watch = setInterval(
    () => (peakMb = Math.max(peakMb, process.memoryUsage.rss() / 2 ** 20)),
    50,
  );
  const warm = await fuzz(served.port, seed, Math.ceil(requests / 10));
  const before = inUseMb();
  const rest = await fuzz(served.port, seed + 1, requests - Math.ceil(requests / 10));
  const after = inUseMb();
  clearInterval(watch);
  const seconds = (performance.now() - begun) / 1_000;

  const failures = [...warm.failures, ...rest.failures];
  const statuses = new Map<number, number>();
  for (const [status, times] of [...warm.statuses, ...rest.statuses]) {
    statuses.set(status, (statuses.get(status) ?? 0) + times);
  }
  const healthy = (await ask(served.port, '/v1/query?str=a')).status === 200;
  console.log(`${requests} requests of seed ${seed} in ${seconds.toFixed(1)} s over ${stack}`);
  for (const [status, times] of [...statuses].toSorted(([a], [b]) => a - b))
    console.log(`  ${status}: ${times}`);
  console.log(
    `memory in use ${before.toFixed(1)} MB after a tenth, ${after.toFixed(1)} MB at the end; ` +
      `peak of the process ${peakMb.toFixed(0)} MB; ${healthy ? 'healthy' : 'NOT HEALTHY'}`,
  );
  for (const { request, answer } of failures.slice(0, 10)) {
    const text = JSON.stringify({ ...request, body: request.body.toString('latin1') });
    console.log(`failed: ${text.slice(0, 1_000)}\n${answer.slice(0, 500)}`);
  }
  upstream.close();
  echo.stop();
  await served.close();
  const isBounded = after - before < GROWTH_MB;
  if (failures.length > 0 || !healthy || !isBounded || gateway.counts.active !== 0) {
    console.log(`FAILED: ${failures.length} failures`);
    process.exitCode = 1;
  }
  return [...warm.statusOf, ...rest.statusOf];
}

function inUseMb(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
