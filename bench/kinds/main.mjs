// Each kind of call that apps make, and a mix of them, as pino's natural call costs it, in each
// format: `npm --prefix bench run kinds [-- --quick]`. `--part` measures only the kinds and formats
// with that in their name, such as `--part json` or `--part 'json, mix'`; `--lines` shows the last lines.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { KINDS } from './kinds.mjs';
import { FORMATS } from './sides.mjs';

const GOAL = 1;
const GOAL_OF_MIX = 2;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    lines: { type: 'boolean', default: false },
    part: { type: 'string', default: '' },
  },
});
const { quick, lines, part } = values;
const firsts = quick ? ['pino'] : ['pino', 'logx'];
const slices = quick ? 6 : 10;
const here = import.meta.dirname;
const folder = mkdtempSync(join(here, '..', 'node_modules', '.bench-'));

const names = [...KINDS.map(({ kind }) => kind), 'mix'];
const pairs = names.flatMap((name) =>
  FORMATS.map((format) => ({ name, format, pino: [], logx: [] })),
);
const chosen = pairs.filter(({ name, format }) => `${format}, ${name}`.includes(part));

async function measured({ format, name }, first) {
  const args = [format, name, slices, first, join(folder, 'logx.entry.mjs')].map(String);
  const child = fork(join(here, 'pair.mjs'), args);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${format}, ${name} ended with ${code} and said nothing`);
  });
  const [result] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => {});
  child.disconnect();
  return result;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** How many of ours cost as much as one of pino's. */
function ratioOf(pair) {
  return median(pair.pino.map((micros, i) => micros / pair.logx[i]));
}

function goalOf(name) {
  return name === 'mix' ? GOAL_OF_MIX : GOAL;
}

function textOf(pair, i) {
  const begin = i === 0 ? '; not ' : ', ';
  return `${begin}${pair.name} in ${pair.format} (${ratioOf(pair).toFixed(2)} of ${goalOf(pair.name)})`;
}

function cellOf(name, format) {
  const pair = chosen.find((each) => each.name === name && each.format === format);
  if (pair === undefined) return '';
  const ratio = ratioOf(pair);
  const mark = ratio >= goalOf(name) ? '' : ' NO';
  return `${median(pair.logx).toFixed(2)} µs, ${ratio.toFixed(2)}${mark}`;
}

function tableOf(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((cells) => cells[i].length)));
  const text = rows.map(
    (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text[0], rule, ...text.slice(1)].join('\n');
}

try {
  await bundle([join(here, '..', 'logger', 'logx.entry.ts')], folder, [
    'pino',
    'yaml',
    '@nestjs/common',
  ]);
  const begun = performance.now();
  for (const first of firsts) {
    for (const pair of chosen) {
      const { pino, logx } = await measured(pair, first);
      pair.pino.push(...pino.micros);
      pair.logx.push(...logx.micros);
      if (lines && first === firsts[0]) process.stdout.write(pino.last + logx.last);
    }
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(
    `Node ${process.version}, ${seconds} s. Each cell: microseconds of the processor that a call of ours takes, and ` +
      `how many\nof ours cost as much as pino's natural call that says the same, by turns in one process; lines made into\n` +
      `bytes that nobody keeps. Goals: each kind ≥ ${GOAL.toFixed(1)}, the mix ≥ ${GOAL_OF_MIX.toFixed(1)}.\n`,
  );
  const shareOf = (name) => `${KINDS.find(({ kind }) => kind === name)?.share ?? 100} %`;
  const rows = names
    .filter((name) => chosen.some((pair) => pair.name === name))
    .map((name) => [name, shareOf(name), ...FORMATS.map((format) => cellOf(name, format))]);
  console.log(tableOf([['kind', 'share', ...FORMATS], ...rows]));
  const missed = chosen.filter((pair) => ratioOf(pair) < goalOf(pair.name));
  const reached = chosen.length - missed.length;
  console.log(`\nGoals: ${reached} of ${chosen.length} reached${missed.map(textOf).join('')}.`);
} finally {
  rmSync(folder, { recursive: true });
}
