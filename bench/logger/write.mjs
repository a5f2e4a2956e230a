// One subject of files.mjs: `node write.mjs all|wait|load <group> <who> <bundle> <directory>`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { FILES, LOADS } from './files.mjs';

/** The share of lines that is logged before: V8 has to get to know a logger first. */
const WARM = 1 / 3;
const LINES_PER_TURN = 200;
const LOAD_MS = 1_000;

const [mode, group, who, bundle, directory] = process.argv.slice(2);
const file = join(directory, 'a.log');
const { who: subjects, lines: linesOfAll } =
  mode === 'load' ? { who: LOADS } : FILES.find(({ what }) => what === group);
const { open, lines = linesOfAll } = subjects[who];

/** All files, oldest first: the one without a date or number is the present one. */
function written() {
  const numeric = new Intl.Collator('en', { numeric: true });
  const files = readdirSync(directory).toSorted(
    (a, b) => Number(a === 'a.log') - Number(b === 'a.log') || numeric.compare(a, b),
  );
  return files.map((name) => {
    const bytes = readFileSync(join(directory, name));
    return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  });
}

/** From the first line until the last byte can be read back. */
async function all({ log, end }) {
  const warmLines = lines * WARM;
  let i = 0;
  const logUpTo = async (count) => {
    while (i < count) {
      for (let inTurn = 0; inTurn < LINES_PER_TURN; inTurn++) {
        const wait = log(i++);
        if (wait !== undefined) await wait;
      }
      await turn();
    }
  };
  await logUpTo(warmLines);
  await pause(20);
  const begun = performance.now();
  await logUpTo(warmLines + lines);
  await end();
  const perSecond = lines / ((performance.now() - begun) / 1_000);
  const texts = written().filter((text) => text.length > 0);
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    perSecond,
    bytes: Math.round(bytes / i),
    last: hash.digest('hex'),
    largest: Math.max(...texts.map((text) => text.length)),
    torn: texts.filter((text) => text.at(-1) !== 0x0a).length,
  };
}

/** Logs 10,000 lines a second, in steps of a millisecond or so. */
async function underLoad(log, step) {
  const begun = performance.now();
  for (let count = 0, now = begun; now - begun < LOAD_MS; now = performance.now()) {
    for (; count < (now - begun) * 10; count++) await log(count);
    await step();
  }
}

/** The longest that a line stayed in memory, in milliseconds, seen once a turn. */
async function wait({ log, end }) {
  const logged = [];
  const sizes = [];
  let lines = 0;
  const counted = (i) => (lines++, log(i));
  await underLoad(counted, async () => {
    logged.push({ lines, at: performance.now() });
    await turn();
    sizes.push({ size: statSync(file).size, at: performance.now() });
  });
  await end();
  sizes.push({ size: Infinity, at: performance.now() });
  const text = readFileSync(file);
  let offset = 0;
  let line = 0;
  let longest = 0;
  for (const { lines: count, at } of logged) {
    for (; line < count; line++) offset = text.indexOf(0x0a, offset) + 1;
    while (sizes[0].size < offset) sizes.shift();
    longest = Math.max(longest, sizes[0].at - at);
  }
  return { waitMs: longest };
}

/** The share of its time that the event loop was busy. */
async function load({ log, end }) {
  await underLoad(log, () => pause(1));
  const before = performance.eventLoopUtilization();
  await underLoad(log, () => pause(1));
  const { utilization } = performance.eventLoopUtilization(before);
  await end();
  return { utilization };
}

const measures = { all, wait, load };
process.send(await measures[mode](await open({ bundle, directory, file })));
