// How cost grows with the number of things: CPU time of each at 10, 100, 1,000 and 10,000, as cost
// per item, and whether it grows faster than n log n: `node bench/growth/main.mjs [name ...]`.
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../bundle.mjs';

const SIZES = [10, 100, 1_000, 10_000];
const ROUNDS = 5;
/** What noise, caches and the collector may add to n log n between the last two sizes. */
const SLACK = 2;

const here = import.meta.dirname;
const root = join(here, '..', '..');
const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
try {
  const entry = join(folder, 'subjects.mjs');
  await bundle([join(here, 'subjects.ts')], folder, [
    '@nestjs/*',
    'reflect-metadata',
    'rxjs',
    '@grpc/grpc-js',
    '@bufbuild/*',
    'pino',
    'yaml',
    'croner',
  ]);
  await copyFile(join(here, 'clients.mjs'), join(folder, 'clients.mjs'));
  const { subjects } = await import(entry);
  const chosen = process.argv.slice(2);
  const names = Object.keys(subjects).filter(
    (name) => chosen.length === 0 || chosen.includes(name),
  );
  console.log(`CPU time per item, medians of up to ${ROUNDS}, Node ${process.version}`);
  for (const name of names) {
    const costs = [];
    for (const size of SIZES) costs.push(await cost(entry, name, size));
    const [before, last] = costs.slice(-2);
    const [few, many] = SIZES.slice(-2);
    const allowed = (many * Math.log(many)) / (few * Math.log(few));
    const isFine = last <= before * allowed * SLACK;
    if (!isFine) process.exitCode = 1;
    const perItem = costs.map((us, i) => `${(us / SIZES[i]).toFixed(2)} µs`.padStart(12)).join('');
    const times = (last / before).toFixed(1);
    console.log(
      `${name.padEnd(44)}${perItem}  ${many / 1_000},000 costs ${times} × ${few}; at most n log n: ${isFine ? 'yes' : 'NO'}`,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Microseconds of CPU at a size, in a process of its own. */
function cost(entry, name, size) {
  const child = spawn(
    process.execPath,
    [join(here, 'run.mjs'), entry, name, String(size), String(ROUNDS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(Number(text));
      else reject(new Error(`${name} at ${size} ended with ${code}`));
    });
  });
}
