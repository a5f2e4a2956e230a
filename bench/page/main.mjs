// What the host page costs an app that logs 10,000 events a second: `npm --prefix bench run page [rounds] [windows]`.
// Apps with the page and without it are flooded at the same time, so that a busy moment of the machine is one for all. One of
// them has a viewer of the tab Logs, who is in another process, as a browser is. Two processes of one app differ by up to a
// quarter for as long as they run; each round therefore starts all anew, and a second one without the page says how much
// of a difference is that: what lies within it is not measurable here.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { REQUEST_EXTERNALS, bundle } from '../bundle.mjs';

const [ROUNDS, WINDOWS] = [process.argv[2] ?? 8, process.argv[3] ?? 6].map(Number);
const RATE = 10_000;
const SECONDS = 2;
/** V8 compiles what is hot in the first windows of a process, and with the page it takes a few more of them. */
const WARM_UP_WINDOWS = 6;
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

/** Begins all at once, another one first each time: the last to begin waits for a core, which costs it some CPU. */
async function inTurn(all, first) {
  const begun = [];
  for (const index of all.keys()) {
    const turn = (index + first) % all.length;
    begun[turn] = all[turn]();
  }
  return Promise.all(begun);
}

async function round(folder, shown, count) {
  const variants = ['without', 'without', 'with', 'with'];
  const starts = variants.map((variant) => () => start(folder, variant));
  const apps = await inTurn(starts, count);
  const [bare, twin, closed, open] = apps;
  const floods = [
    () => flood(bare),
    () => flood(twin),
    () => flood(closed),
    () => watchedFlood(open, shown),
  ];
  const found = [];
  try {
    for (let window = 0; window < WARM_UP_WINDOWS + WINDOWS; window++) {
      const [without, other, unseen, seen] = await inTurn(floods, count + window);
      if (window >= WARM_UP_WINDOWS)
        found.push({ without, twin: other, closed: unseen, open: seen });
    }
  } finally {
    for (const { child } of apps) child.kill();
  }
  return found;
}

/** The value below which this share of all lies. */
function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

function median(values) {
  return quantile(values, 0.5);
}

const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
try {
  await bundle([join(here, 'app.ts')], folder, REQUEST_EXTERNALS);
  const [rounds, shown] = [[], []];
  for (let count = 0; count < ROUNDS; count++) rounds.push(await round(folder, shown, count));
  const windows = rounds.flat();
  const medianOf = (figure) => median(windows.map(figure));
  const percentsIn = (found, name) => found.map((each) => (each[name] - each.without) / 10);
  const percentIn = (found, name) => median(percentsIn(found, name));
  const line = (name) => {
    const own = medianOf((each) => each[name]).toFixed(1);
    const ratio = medianOf((each) => each[name] / each.without).toFixed(3);
    const each = rounds.map((found) => percentIn(found, name));
    const middle = [0.25, 0.75].map((share) => quantile(each, share).toFixed(2)).join(' to ');
    return `CPU ${own} ms/s, × ${ratio}, ${percentIn(windows, name).toFixed(2)} % of a core more (half of the rounds: ${middle})`;
  };
  const isMet = percentIn(windows, 'open') <= GOAL_PERCENT;
  const twins = percentsIn(windows, 'twin');
  const [least, most] = [0.25, 0.75].map((share) => quantile(twins, share));
  const isLost = percentIn(windows, 'closed') <= most;
  console.log(
    `medians of ${windows.length} windows of ${SECONDS} s, ${RATE} events/s, Node ${process.version}`,
  );
  console.log(`without the page    CPU ${medianOf(({ without }) => without).toFixed(1)} ms/s`);
  console.log(`another without it  ${line('twin')}`);
  console.log(
    `with it, no viewer  ${line('closed')}; half of the windows without it differ by ` +
      `${least.toFixed(2)} to ${most.toFixed(2)} % (measurable: ${isLost ? 'no' : 'YES'})`,
  );
  console.log(
    `with a viewer       ${line('open')} (goal ${GOAL_PERCENT} %: ${isMet ? 'yes' : 'NO'}); ` +
      `${median(shown)} events of ${RATE * SECONDS} shown`,
  );
} finally {
  await rm(folder, { recursive: true });
}
