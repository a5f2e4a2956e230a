// The CPU that servers take for a small unary call, driven by h2load (Debian's nghttp2-client), which is
// never the bottleneck: `npm --prefix bench run load -- [--rounds 5] [--seconds 2] [--only NAME] [CHECKOUT...]`.
// Servers of other checkouts run in the same rounds.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { askServer, withServers } from './servers.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});
const h2load = promisify(execFile);

await withServers({ only: values.only, checkouts: positionals }, async (targets, folder) => {
  const request = join(folder, 'get');
  // GetRequest { name: "products/1" }, as one uncompressed message.
  await writeFile(request, Buffer.from([0, 0, 0, 0, 12, 0x0a, 10, ...Buffer.from('products/1')]));
  await measure(
    targets.map((target) => ({ ...target, readings: [] })),
    request,
  );
});

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

async function load(target, request) {
  const { name, port } = target;
  const before = await cpuOf(target);
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
    cpu: (((await cpuOf(target)) - before) * 1_000) / count,
    rate: count / Number(values.seconds),
  };
}

async function cpuOf(target) {
  return (await askServer(target, 'cpu')).cpuMs;
}

function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
}
