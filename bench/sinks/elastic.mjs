// Ships documents to a stand-in for Elasticsearch: @apix/logx-elastic and pino-elasticsearch.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const DOCUMENTS = 60_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
/** The first is what the others are compared with. */
const SHIPPERS = [
  'pino-elasticsearch',
  'pino-elasticsearch tuned',
  'logx',
  'logx gzip',
  'logx spool',
];

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export async function main(rounds) {
  const folder = mkdtempSync(join(root, 'node_modules', '.bench-'));
  const server = fork(join(here, 'elastic-server.mjs'));
  try {
    const logxElastic = join(folder, 'index.mjs');
    await bundle([join(root, 'libs/logx-elastic/src/index.ts')], folder, [
      'pino',
      'yaml',
      '@grpc/*',
      '@nestjs/*',
      'reflect-metadata',
      'rxjs',
    ]);
    const [{ port }] = await once(server, 'message');
    const results = new Map(SHIPPERS.map((name) => [name, []]));
    // One of each in turn, so that a noisy moment of the machine hits all of them.
    for (let round = 0; round < rounds; round++) {
      for (const name of SHIPPERS) {
        server.send('reset');
        await once(server, 'message');
        const spool = join(folder, `spool-${round}`);
        const args = [join(here, 'ship-elastic.mjs'), name, logxElastic, port, DOCUMENTS, spool];
        const result = JSON.parse(execFileSync(process.execPath, args.map(String)));
        server.send('count');
        const [{ documents, requests }] = await once(server, 'message');
        if (documents !== DOCUMENTS) throw new Error(`${name}: ${documents} documents arrived`);
        results.get(name).push({ ...result, requests });
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
    `${DOCUMENTS.toLocaleString('en')} documents of 370 bytes over HTTP, until the last is ` +
      `acknowledged; medians of ${rounds} interleaved runs, Node ${process.version}`,
  );
  console.table(
    Object.fromEntries(
      SHIPPERS.map((name) => [
        name,
        {
          'docs/s': Math.round(of(name, 'documentsPerSecond')),
          'CPU µs/doc': Number(of(name, 'cpuMicros').toFixed(1)),
          requests: of(name, 'requests'),
        },
      ]),
    ),
  );
  const [base, tuned, logx] = SHIPPERS.map((name) => of(name, 'documentsPerSecond'));
  console.log(
    `logx ships ${(logx / base).toFixed(1)} times as fast as pino-elasticsearch (goal 4), ` +
      `${(logx / tuned).toFixed(2)} times as fast as it tuned (goal 1.4)`,
  );
}
