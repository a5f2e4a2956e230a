// Compares the same Nest app with and without the host: time from process start to ready, memory
// at that moment, and time from SIGTERM to exit when idle. `node bench/host/main.mjs [runs]`.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const RUNS = Number(process.argv[2] ?? 20);
const VARIANTS = ['plain', 'hosted'];
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');

/** Starts a variant, waits until it is ready, stops it. */
async function measure(file) {
  const begun = performance.now();
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = await once(child.stdout, 'data');
  const startMs = performance.now() - begun;
  const { rss } = JSON.parse(chunk.toString());
  const asked = performance.now();
  child.kill('SIGTERM');
  await once(child, 'close');
  return { startMs, rssMb: rss / 2 ** 20, stopMs: performance.now() - asked };
}

function once(emitter, event) {
  return new Promise((resolve) => emitter.once(event, (...values) => resolve(values)));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
try {
  await bundle(
    VARIANTS.map((name) => join(here, `${name}.ts`)),
    folder,
    ['@nestjs/*', 'reflect-metadata', 'rxjs'],
  );
  const results = new Map(VARIANTS.map((name) => [name, []]));
  // One of each in turn, so that a noisy moment of the machine hits both; the first warms up.
  for (let run = 0; run <= RUNS; run++) {
    for (const name of VARIANTS) {
      const result = await measure(join(folder, `${name}.mjs`));
      if (run > 0) results.get(name).push(result);
    }
  }
  const summary = new Map(
    VARIANTS.map((name) => {
      const all = results.get(name);
      const of = (key) => median(all.map((one) => one[key]));
      return [name, { startMs: of('startMs'), rssMb: of('rssMb'), stopMs: of('stopMs') }];
    }),
  );
  console.log(`medians of ${RUNS} runs, Node ${process.version}`);
  for (const [name, { startMs, rssMb, stopMs }] of summary) {
    console.log(
      `${name.padEnd(7)} start ${startMs.toFixed(0)} ms, ${rssMb.toFixed(1)} MB, ` +
        `SIGTERM to exit ${stopMs.toFixed(0)} ms`,
    );
  }
  const [plain, hosted] = VARIANTS.map((name) => summary.get(name));
  console.log(
    `ratio   start ${(hosted.startMs / plain.startMs).toFixed(3)} (goal 1.05), ` +
      `memory ${(hosted.rssMb / plain.rssMb).toFixed(3)}; exit ${hosted.stopMs.toFixed(0)} ms (goal under 100)`,
  );
} finally {
  await rm(folder, { recursive: true });
}
