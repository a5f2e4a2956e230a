// Compares ways of logging the requests of the same Nest app: `npm --prefix bench run request
// [rounds] [seconds] [-- --only 'fastify logx']`: with `--only`, which may be repeated, the apps whose names have the
// text, and the bare ones that they are held against. Every variant writes the same fields to a file; the lines are
// counted.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, REQUEST_EXTERNALS } from '../bundle.mjs';
import { CONNECTIONS, Subject } from './subject.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: [''] } },
});
const ROUNDS = Number(positionals[0] ?? 3);
const SECONDS = Number(positionals[1] ?? 1);
/**
 * How often each app is started: two processes of the same app differ by up to a quarter for as long as they run, so one
 * of each says little.
 */
const STARTS = 3;
/** V8 still compiles functions of an app after 30,000 requests, more of them where more is logged. */
const WARM_UP_SECONDS = 6;
/** Of the callers of a handler that waits. */
const FEW_CONNECTIONS = 4;
/**
 * `context` logs nothing: it is an AsyncLocalStorage around each request, which all but winston need. `by hand` is
 * short code that writes the same lines for this app alone, without options. `async` writes its file from another thread,
 * as nestjs-pino does here.
 */
const VARIANTS = [
  'bare',
  'context',
  'by hand',
  'by hand, sample',
  'logx',
  'logx, async',
  'logx, gather',
  'logx, sample',
  'nestjs-pino',
  'winston',
];
/**
 * `/noted` logs five events below the level first, which `buffer` keeps. `/waited` is a handler that waits for a millisecond: asked by few, so that the app waits too, as it does in production,
 * where requests wait for databases and not for a core.
 */
const TABLES = [
  { adapter: 'fastify', path: '', variants: VARIANTS },
  {
    adapter: 'fastify',
    path: '/waited',
    connections: FEW_CONNECTIONS,
    variants: ['bare', 'context', 'by hand', 'logx', 'logx, async', 'nestjs-pino'],
  },
  {
    adapter: 'fastify',
    path: '/noted',
    connections: FEW_CONNECTIONS,
    variants: ['bare', 'logx', 'logx, buffer'],
  },
  {
    adapter: 'express',
    path: '',
    variants: ['bare', 'context', 'logx', 'nestjs-pino', 'winston'],
  },
];
/** Of the share of bare. */
const GOALS = {
  'fastify logx': 0.8,
  'fastify logx, async': 0.8,
  'fastify logx, sample': 0.93,
  'fastify logx/waited': 0.97,
  'fastify logx, async/waited': 0.97,
};
const CPU_GOALS = { 'fastify logx': 0.35, 'fastify logx, async': 0.35 };

const here = fileURLToPath(new URL('.', import.meta.url));

/** The subjects of a table that are asked for, `bare` first; none where nothing else is. */
function subjectsOf({ adapter, path, connections, variants }, folder) {
  const asked = variants.filter((variant) =>
    values.only.some((text) => `${adapter} ${variant}${path}`.includes(text)),
  );
  const all = asked.length === 0 ? [] : ['bare', ...asked.filter((each) => each !== 'bare')];
  return all.map((variant) => new Subject(adapter, variant, folder, path, connections));
}

/**
 * Each beside a bare app that was started with it and has as much to do, by turns and with nothing else: an app that was
 * idle for seconds is slower at first, and a machine that is shared is another one after them.
 */
async function measure([bare, ...others]) {
  for (const subject of others) {
    const pair = [bare, subject];
    await Promise.all(pair.map((one) => one.start()));
    for (const one of pair) await one.round(WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round++) {
      const beside = await bare.round(SECONDS);
      bare.rounds.push(beside);
      subject.bareRounds.push(beside);
      subject.rounds.push(await subject.round(SECONDS));
    }
    for (const one of pair) await one.finish();
  }
}

/** How a subject did beside the bare one, round by round. */
function rowOf(subject) {
  const isBare = subject.bareRounds.length === 0;
  return {
    'requests/s': Math.round(subject.median('rps')),
    '× bare': isBare ? 1 : Number(shareOf(subject).toFixed(3)),
    'CPU µs/request': Number(subject.median('cpu').toFixed(1)),
    '− bare': isBare ? 0 : Number(addedBy(subject).toFixed(1)),
    requests: subject.requests,
    lines: subject.lines,
  };
}

function shareOf(subject) {
  return subject.medianBeside((own, bare) => own.rps / bare.rps);
}

/** Microseconds of CPU that a request takes on top. */
function addedBy(subject) {
  return subject.medianBeside((own, bare) => own.cpu - bare.cpu);
}

function goalText(figure, goal, isMet) {
  return goal === undefined ? figure : `${figure} (goal ${goal}: ${isMet ? 'yes' : 'NO'})`;
}

/** How much more CPU a request takes that keeps its events, of what a logged one takes: 1.05 is the goal. */
function bufferSentence(table) {
  const [logx, buffer] = ['logx', 'logx, buffer'].map((variant) =>
    table.find((subject) => subject.variant === variant),
  );
  if (buffer === undefined || logx === undefined) return [];
  const ratio = (logx.median('cpu') + addedBy(buffer) - addedBy(logx)) / logx.median('cpu');
  return [`${buffer.name}: CPU ${goalText(ratio.toFixed(3), 1.05, ratio <= 1.05)} × ${logx.name}`];
}

/** What is said of a subject in the end. */
function sentenceOf(subject, table) {
  const share = shareOf(subject);
  const goal = GOALS[subject.name];
  const text = `${subject.name}: ${goalText(share.toFixed(3), goal, share >= goal)} × bare`;
  const pino = table.find(({ variant }) => variant === 'nestjs-pino');
  if (pino === undefined || !subject.variant.startsWith('logx')) return text;
  const added = addedBy(subject) / addedBy(pino);
  const cpuGoal = CPU_GOALS[subject.name];
  return `${text}, CPU added ${goalText(added.toFixed(2), cpuGoal, added <= cpuGoal)} × nestjs-pino's`;
}

const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
let subjects = [];
try {
  await bundle([join(here, 'app.ts')], folder, REQUEST_EXTERNALS);
  const tables = TABLES.map((table) => subjectsOf(table, folder)).filter(
    (table) => table.length > 0,
  );
  subjects = tables.flat();
  for (let start = 0; start < STARTS; start++) {
    for (const table of tables) await measure(table);
  }

  console.log(
    `${CONNECTIONS} connections, ${FEW_CONNECTIONS} where handlers wait, medians of ${STARTS} starts of each app with ` +
      `${ROUNDS} rounds of ${SECONDS} s, each right after one of the bare app, of the ratios and differences of each, Node ${process.version}`,
  );
  const rows = {};
  for (const subject of tables.flat()) rows[subject.name] = rowOf(subject);
  console.table(rows);
  for (const table of tables) {
    for (const subject of table.slice(1)) console.log(sentenceOf(subject, table));
    for (const sentence of bufferSentence(table)) console.log(sentence);
  }
} finally {
  for (const { child } of subjects) child?.kill();
  await rm(folder, { recursive: true });
}
