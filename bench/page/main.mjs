// What the host page costs an app that logs 10,000 events a second: `npm --prefix bench run page [rounds] [windows]`.
// An app without the page beside one with it, both flooded at the same time, so that a busy moment of the machine is one for
// both. A viewer of the tab Logs, who is in another process, as a browser is, comes and goes by turns. Two processes of one
// app differ by up to a quarter for as long as they run; each round therefore starts both anew.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { REQUEST_EXTERNALS, bundle } from '../bundle.mjs';

const [ROUNDS, WINDOWS] = [process.argv[2] ?? 8, process.argv[3] ?? 4].map(Number);
const RATE = 10_000;
const SECONDS = 2;
/** V8 compiles what is hot in the first windows of a process. */
const WARM_UP_WINDOWS = 2;
/** Of a core, for a flood while the tab is open. */
const GOAL_PERCENT = 3;

const here = import.meta.dirname;

async function start(folder, variant) {
  // Its standard output goes nowhere, so that no reader shares its core.
  const child = fork(join(folder, 'app.mjs'), [variant], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = await once(child, 'message');
  return { child, port };
}

/** Milliseconds of CPU per second of a flood. */
async function flood({ child }) {
  child.send({ rate: RATE, seconds: SECONDS });
  const [{ events, cpu }] = await once(child, 'message');
  if (events !== RATE * SECONDS) throw new Error(`${events} events in ${SECONDS} s`);
  return cpu / 1_000 / SECONDS;
}

/** The same, while a viewer reads what the tab Logs shows; adds how many events that were. */
async function watchedFlood(app, shown) {
  const request = get({
    host: '127.0.0.1',
    port: app.port,
    path: '/host/stream?tab=logs',
    agent: false,
  });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`the page answered ${response.statusCode}`);
  let text = '';
  response.setEncoding('utf8').on('data', (part) => (text += part));
  await once(response, 'data');
  try {
    return await flood(app);
  } finally {
    const [, ...live] = text
      .split('\n\n')
      .slice(0, -1)
      .filter((it) => it.startsWith('data: '));
    const views = live.map((part) => JSON.parse(part.slice(6)).sections.logs);
    shown.push(views.reduce((sum, { records }) => sum + records.length, 0));
    response.destroy();
    await once(response, 'close');
  }
}

async function round(folder, windows, shown) {
  const [bare, paged] = await Promise.all([start(folder, 'without'), start(folder, 'with')]);
  const ways = [
    ['closed', () => flood(paged)],
    ['open', () => watchedFlood(paged, shown)],
  ];
  try {
    for (let window = 0; window < WARM_UP_WINDOWS + WINDOWS; window++) {
      const costs = {};
      for (const turn of [window, window + 1]) {
        const [name, measure] = ways[turn % ways.length];
        const [without, own] = await Promise.all([flood(bare), measure()]);
        costs[name] = { without, own };
      }
      if (window >= WARM_UP_WINDOWS) windows.push(costs);
    }
  } finally {
    for (const { child } of [bare, paged]) child.kill();
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
try {
  await bundle([join(here, 'app.ts')], folder, REQUEST_EXTERNALS);
  const windows = [];
  const shown = [];
  for (let count = 0; count < ROUNDS; count++) await round(folder, windows, shown);
  const medianOf = (figure) => median(windows.map(figure));
  const percentOf = (name) => medianOf((each) => each[name].own - each[name].without) / 10;
  const line = (name) => {
    const own = medianOf((each) => each[name].own).toFixed(1);
    const ratio = medianOf((each) => each[name].own / each[name].without).toFixed(3);
    return `CPU ${own} ms/s, × ${ratio}, ${percentOf(name).toFixed(2)} % of a core more`;
  };
  const isMet = percentOf('open') <= GOAL_PERCENT;
  const bare = windows.flatMap(({ open, closed }) => [open.without, closed.without]);
  console.log(
    `medians of ${windows.length} windows of ${SECONDS} s, ${RATE} events/s, Node ${process.version}`,
  );
  console.log(`without the page    CPU ${median(bare).toFixed(1)} ms/s`);
  console.log(`with it, no viewer  ${line('closed')}`);
  console.log(
    `with a viewer       ${line('open')} (goal ${GOAL_PERCENT} %: ${isMet ? 'yes' : 'NO'}); ` +
      `${median(shown)} events of ${RATE * SECONDS} shown`,
  );
} finally {
  await rm(folder, { recursive: true });
}
