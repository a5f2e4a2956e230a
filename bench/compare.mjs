// Runs benches on two checkouts by turns and sets their figures side by side:
//   node bench/compare.mjs <other checkout> [--rounds 3] [bench ...]
// The other checkout has its dependencies installed, in its root and in bench/. A figure stands
// for itself wherever the text of its line is the same in both; its ratio is that of the medians.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const BENCHES = ['authz', 'logger', 'request', 'sinks', 'host', 'codec', 'grpc', 'gateway'];
const NUMBER = /(?<![\w.])-?\d[\d,]*(?:\.\d+)?/g;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const [other, ...chosen] = positionals;
if (other === undefined) {
  console.error('usage: node bench/compare.mjs <other checkout> [--rounds 3] [bench ...]');
  process.exit(2);
}
const sides = [resolve(other, 'bench'), import.meta.dirname];
const rounds = Number(values.rounds);

for (const bench of chosen.length > 0 ? chosen : BENCHES) {
  console.log(`\n== ${bench}: medians of ${rounds} rounds, other and this checkout by turns`);
  const figures = [new Map(), new Map()];
  for (let round = 0; round < rounds; round++) {
    // Whoever runs second has a warmer machine: take turns with that too.
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      collect(await run(join(sides[side], bench, 'main.mjs')), figures[side]);
    }
  }
  for (const [line, before] of figures[0]) {
    const after = figures[1].get(line);
    if (after === undefined) continue;
    const shown = before.map((samples, i) => sideBySide(median(samples), median(after[i] ?? [])));
    console.log(`${line.replaceAll('#', () => shown.shift())}`);
  }
}

/** Adds the numbers of each line to what the same line had in the rounds before. */
function collect(text, into) {
  for (const line of text.split('\n')) {
    const numbers = line.match(NUMBER);
    if (numbers === null) continue;
    const key = line
      .replaceAll(NUMBER, '#')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/: (?:yes|NO)/g, '');
    const samples = into.get(key) ?? numbers.map(() => []);
    numbers.forEach((number, i) => samples[i].push(Number(number.replaceAll(',', ''))));
    into.set(key, samples);
  }
}

function sideBySide(before, after) {
  if (before === after) return `${before}`;
  const ratio = before === 0 ? '' : ` (${(after / before).toFixed(2)})`;
  return `${before}→${after}${ratio}`;
}

function median(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function run(file) {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', () => done(text));
  });
}
