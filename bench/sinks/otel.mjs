// Ships records by OTLP (protobuf over HTTP) to a stand-in for a collector: the OpenTelemetry SDK
// alone, pino-opentelemetry-transport, @apix/logx-otel.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const RECORDS = 200_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const SHIPPERS = ['OpenTelemetry SDK', 'pino-opentelemetry-transport', 'logx', 'logx write(line)'];

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export async function main(rounds) {
  const folder = mkdtempSync(join(root, 'node_modules', '.bench-'));
  const server = fork(join(here, 'otel-server.mjs'));
  try {
    const shippers = join(folder, 'otel.entry.mjs');
    await bundle([join(here, 'otel.entry.ts')], folder, [
      'pino',
      'yaml',
      '@grpc/*',
      '@opentelemetry/*',
    ]);
    const [{ port }] = await once(server, 'message');
    const results = new Map(SHIPPERS.map((name) => [name, []]));
    // One of each in turn, so that a noisy moment of the machine hits all of them.
    for (let round = 0; round < rounds; round++) {
      for (const name of SHIPPERS) {
        server.send('reset');
        await once(server, 'message');
        const args = [join(here, 'ship-otel.mjs'), name, shippers, port, RECORDS];
        const result = JSON.parse(execFileSync(process.execPath, args.map(String)));
        server.send('count');
        const [{ records, bytes, requests }] = await once(server, 'message');
        if (records !== RECORDS) throw new Error(`${name}: ${records} records arrived`);
        results.get(name).push({ ...result, requests, bytes: bytes / records });
      }
    }
    report(results, rounds);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

function report(results, rounds) {
  const of = (name, key) => median(results.get(name).map((result) => result[key]));
  console.log(
    `${RECORDS.toLocaleString('en')} records by OTLP, protobuf over HTTP, until the last is ` +
      `acknowledged; medians of ${rounds} interleaved runs, Node ${process.version}`,
  );
  console.table(
    Object.fromEntries(
      SHIPPERS.map((name) => [
        name,
        {
          'records/s': Math.round(of(name, 'recordsPerSecond')),
          'CPU µs/record': Number(of(name, 'cpuMicros').toFixed(1)),
          'bytes/record': Math.round(of(name, 'bytes')),
          requests: of(name, 'requests'),
        },
      ]),
    ),
  );
  const [sdk, pino, logx] = SHIPPERS.map((name) => of(name, 'recordsPerSecond'));
  console.log(
    `logx ships ${(logx / sdk).toFixed(2)} times as fast as the SDK called directly (goal 0.95), ` +
      `${(logx / pino).toFixed(2)} times as fast as pino-opentelemetry-transport (goal 2.5)`,
  );
}
