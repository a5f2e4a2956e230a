// Compares ways of writing log lines to files: `npm --prefix bench run logger [rounds]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { WRITERS } from './file-writers.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
const here = fileURLToPath(new URL('.', import.meta.url));

function run(name, bundle, mode) {
  const script = join(here, 'write-files.mjs');
  return JSON.parse(execFileSync(process.execPath, [script, name, bundle, mode]));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const directory = mkdtempSync(join(tmpdir(), 'logger-bundle-'));
try {
  const bundle = join(directory, 'sinks.mjs');
  await build({
    entryPoints: [join(here, 'sinks.entry.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: join(here, '..', '..', 'tsconfig.json'),
    logLevel: 'error',
  });
  const names = Object.keys(WRITERS);
  const results = new Map(names.map((name) => [name, []]));
  // One of each in turn, so that a noisy moment of the machine hits all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) results.get(name).push(run(name, bundle, 'throughput'));
  }
  const of = (name, key) => median(results.get(name).map((result) => result[key]));
  const base = of(names[0], 'linesPerSecond');
  console.log(
    `60,000 lines of 340 bytes, until the last byte can be read; medians of ${ROUNDS} ` +
      `interleaved runs, Node ${process.version}`,
  );
  console.table(
    Object.fromEntries(
      names.map((name) => {
        const all = results.get(name);
        const { limit } = WRITERS[name];
        const largest = Math.max(...all.map((result) => result.largest));
        return [
          name,
          {
            'lines/s': Math.round(of(name, 'linesPerSecond')),
            ratio: Number((of(name, 'linesPerSecond') / base).toFixed(2)),
            'CPU µs/line': Number(of(name, 'cpuMicros').toFixed(2)),
            files: of(name, 'files'),
            'largest/limit': limit ? Number((largest / limit).toFixed(2)) : '',
            torn: Math.max(...all.map((result) => result.torn)),
            'same bytes': all.every((result) => result.whole) ? 'yes' : 'NO',
            'longest wait ms': limit
              ? ''
              : Number(run(name, bundle, 'wait').longestWaitMs.toFixed(1)),
          },
        ];
      }),
    ),
  );
} finally {
  rmSync(directory, { recursive: true });
}
