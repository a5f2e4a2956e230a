// One table of what logging costs, ours and others': `npm --prefix bench run logger [rounds [part]]`,
// all of it or only what has `part` in its name, such as 'json'.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';
import { CALLS } from './calls.mjs';
import { FILES, LOADS } from './files.mjs';

const ROUNDS = Number(process.argv[2] ?? 3);
const [, , , PART = ''] = process.argv;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(here, '..', 'node_modules', '.bench-'));
const logx = join(folder, 'logx.entry.mjs');

/** What a process of its own found out; its standard output is a.log in a directory of its own. */
async function measured(script, ...args) {
  const directory = mkdtempSync(join(folder, 'files-'));
  const stdout = openSync(join(directory, 'a.log'), 'a');
  const child = fork(join(here, script), [...args, logx, directory], {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
  closeSync(stdout);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ${args.join(' ')} ended with ${code} and said nothing`);
  });
  try {
    const [result] = await Promise.race([once(child, 'message'), failed]);
    return result;
  } finally {
    failed.catch(() => {});
    child.kill();
    rmSync(directory, { recursive: true });
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Every subject, with the results of its rounds. */
const subjects = [
  ...CALLS.flatMap((group) => subjectsOf(group, (who) => measured('rate.mjs', group.what, who))),
  ...FILES.flatMap((group) =>
    subjectsOf(group, (who) => measured('write.mjs', 'all', group.what, who)),
  ),
].filter(({ group }) => group.what.includes(PART));

function subjectsOf(group, run) {
  const [base] = Object.keys(group.who);
  return Object.entries(group.who).map(([who, { goal, goals, limit }]) => ({
    group,
    who,
    base,
    limit,
    goals: goals ?? (goal === undefined ? {} : { [base]: goal }),
    run: () => run(who),
    rounds: [],
  }));
}

/** The median of the ratios of the rounds: what disturbs a round, disturbs both. */
function ratio(subject, other) {
  const base = subjects.find(({ group, who }) => group === subject.group && who === other);
  return median(subject.rounds.map(({ perSecond }, i) => perSecond / base.rounds[i].perSecond));
}

function rowOf(subject, waits) {
  const { group, who, base, limit, goals, rounds } = subject;
  const [first] = subjects.find((other) => other.group === group && other.who === base).rounds;
  const [{ bytes }] = rounds;
  const isEqual = rounds.every(({ last }) => last === first.last);
  const equal = group.equal?.includes(who) ? (isEqual ? 'yes' : 'NO') : '';
  const largest = Math.max(...rounds.map((round) => round.largest ?? 0));
  const torn = Math.max(...rounds.map((round) => round.torn ?? 0));
  const goal = Object.entries(goals).map(([other, least]) => {
    const reached = ratio(subject, other);
    const of = other === base ? '' : ` of ${other}`;
    return `${reached.toFixed(2)} ≥ ${least}${of}: ${reached >= least ? 'yes' : 'NO'}`;
  });
  return {
    what: group.what,
    who,
    '1,000/s': Math.round(median(rounds.map(({ perSecond }) => perSecond)) / 1_000),
    '× first': Number(ratio(subject, base).toFixed(2)),
    bytes: group.silent ? '' : bytes,
    'same bytes': equal,
    'largest file': limit ? `${(largest / limit).toFixed(2)} × limit` : '',
    torn: largest > 0 ? torn : '',
    'longest wait': waits.has(subject) ? `${waits.get(subject).toFixed(1)} ms` : '',
    goal: goal.join(', '),
  };
}

/** A table of Markdown. */
function tableOf(rows) {
  const names = Object.keys(rows[0]);
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, i) => Math.max(...lines.map((cells) => cells[i].length)));
  const text = lines.map(
    (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text[0], rule, ...text.slice(1)].join('\n');
}

/** How much of the event loop 10,000 logs a second take, beside what the timers take. */
function loadRows(loads) {
  const of = (who) => median(loads.get(who));
  const share = (who) => of(who) - of('nothing');
  const reached = share('logx') / share('pino async');
  return Object.keys(LOADS).map((who) => ({
    what: 'loop at 10,000/s',
    who,
    '× first': `${(100 * of(who)).toFixed(1)} %`,
    goal: who === 'logx' ? `${reached.toFixed(2)} ≤ 0.6: ${reached <= 0.6 ? 'yes' : 'NO'}` : '',
  }));
}

try {
  await bundle([join(here, 'logx.entry.ts')], folder, ['pino', 'yaml', '@nestjs/common']);
  const isWhole = PART === '';
  const loads = new Map(Object.keys(LOADS).map((who) => [who, []]));
  // One of each in turn, so that a noisy moment of the machine hits all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) subject.rounds.push(await subject.run());
    for (const who of isWhole ? loads.keys() : []) {
      const { utilization } = await measured('write.mjs', 'load', '', who);
      loads.get(who).push(utilization);
    }
  }
  const waits = new Map();
  for (const subject of subjects) {
    const { group, who, limit } = subject;
    if (!FILES.includes(group) || limit !== undefined) continue;
    waits.set(subject, (await measured('write.mjs', 'wait', group.what, who)).waitMs);
  }
  console.log(
    `Medians of ${ROUNDS} interleaved rounds, Node ${process.version}; a ratio is the median of the ` +
      'ratios of the rounds.\nCalls: lines made into bytes that nobody keeps, by the time of the ' +
      'processor. Files: 6,000 to 120,000 lines, until the last byte can be read ' +
      'back; the longest wait of a line in memory is seen at 10,000 a second.\n',
  );
  const rows = subjects.map((subject) => rowOf(subject, waits));
  console.log(tableOf(isWhole ? [...rows, ...loadRows(loads)] : rows));
} finally {
  rmSync(folder, { recursive: true });
}
