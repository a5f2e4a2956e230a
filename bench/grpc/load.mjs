// The CPU that servers take for a call, driven by h2load (Debian's nghttp2-client), which is never the
// bottleneck: `npm --prefix bench run load -- [--call get|watch|put] [--rounds 5] [--seconds 2] [--only NAME]
// [CHECKOUT...]`. Servers of other checkouts run in the same rounds, and grpc-go where Debian's packages are.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { askServer, withServers } from './servers.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    call: { type: 'string', default: 'get' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});
const h2load = promisify(execFile);

/** A field of a message whose length fits into one byte. */
const bytesField = (field, bytes) => Buffer.from([(field << 3) | 2, bytes.length, ...bytes]);
/** A whole product, of about a hundred bytes. */
const PRODUCT = Buffer.concat([
  bytesField(1, Buffer.from('products/1')),
  bytesField(2, Buffer.from('A small lamp for the desk, black')),
  // EUR 49.99.
  bytesField(3, [
    ...bytesField(1, Buffer.from('EUR')),
    0x10,
    49,
    0x18,
    0x80,
    0xc7,
    0x88,
    0xd8,
    0x03,
  ]),
  // 1.25 kg.
  Buffer.from([0x21, 0, 0, 0, 0, 0, 0, 0xf4, 0x3f]),
  ...['home', 'light', 'sale'].map((tag) => bytesField(5, Buffer.from(tag))),
  // On sale, fragile.
  Buffer.from([0x30, 1, 0x38, 1]),
]);

/** By `--call`: what is called, with which message, over how many connections and calls at a time. */
const CALLS = {
  get: {
    method: 'Get',
    says: 'a small unary call',
    message: bytesField(1, Buffer.from('products/1')),
    clients: 4,
    streams: 16,
  },
  watch: {
    method: 'Watch',
    says: 'a stream of 1,000 answers',
    message: Buffer.from([0x08, 0xe8, 0x07]),
    clients: 2,
    streams: 4,
  },
  put: {
    method: 'Put',
    says: 'a request of 1 MB',
    message: Buffer.concat(
      Array.from({ length: 1e6 / PRODUCT.length }, () => bytesField(1, PRODUCT)),
    ),
    clients: 2,
    streams: 2,
  },
};

const call = CALLS[values.call];
if (call === undefined) throw new Error(`--call: one of ${Object.keys(CALLS).join(', ')}`);

const options = { only: values.only, checkouts: positionals, withGo: true };
await withServers(options, async (targets, folder) => {
  const request = join(folder, 'request');
  const head = Buffer.alloc(5);
  head.writeUInt32BE(call.message.length, 1);
  await writeFile(request, Buffer.concat([head, call.message]));
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
  console.log(
    `${call.says}: medians of ${values.rounds} rounds of ${values.seconds} s, Node ${process.version}`,
  );
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
    `-c${call.clients}`,
    `-m${call.streams}`,
    `-D${values.seconds}`,
    `--data=${request}`,
    '--header=content-type: application/grpc',
    '--header=te: trailers',
    '--header=x-role: staff',
    `http://127.0.0.1:${port}/bench.shapes.Shop/${call.method}`,
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
