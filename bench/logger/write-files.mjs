// Runs one writer: `node write-files.mjs <writer> <bundle> throughput|wait`, prints JSON.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { WRITERS } from './file-writers.mjs';

const LINES = 60_000;
const LINES_PER_TURN = 200;
const PADDING = 'x'.repeat(120);

const [name, bundle, mode] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'logger-bench-'));

/** 340 bytes, each line another one. */
function line(i) {
  return (
    `{"level":"info","time":"2026-11-21T03:00:00Z","@mt":"Order {Id} of {Who} took {Ms} ms",` +
    `"message":"Order ${i} of Ada took 17 ms","Id":${i},"Who":"Ada","Ms":17,"service":"shop",` +
    `"RequestId":"0123456789abcdef","padding":"${PADDING}"}\n`
  );
}

/** All files, oldest first: the one without a date or number is the present one. */
function written() {
  const numeric = new Intl.Collator('en', { numeric: true });
  const files = readdirSync(directory).toSorted(
    (a, b) => Number(a === 'a.log') - Number(b === 'a.log') || numeric.compare(a, b),
  );
  return files.map((file) => {
    const bytes = readFileSync(join(directory, file));
    return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  });
}

/** From the first line until the last byte can be read back. */
async function throughput({ write, end }) {
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  for (let i = 0; i < LINES;) {
    for (let inTurn = 0; inTurn < LINES_PER_TURN; inTurn++) {
      const wait = write(line(i++));
      if (wait !== undefined) await wait;
    }
    await turn();
  }
  await end();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpuBefore);
  const texts = written();
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  const expected = createHash('sha256');
  for (let i = 0; i < LINES; i++) expected.update(line(i));
  return {
    linesPerSecond: LINES / (ms / 1_000),
    cpuMicros: (user + system) / LINES,
    files: texts.length,
    largest: Math.max(...texts.map((text) => text.length)),
    torn: texts.filter((text) => text.length > 0 && text.at(-1) !== 0x0a).length,
    whole: hash.digest('hex') === expected.digest('hex'),
  };
}

/** The longest that a line waited in memory, seen once per turn, at 10,000 lines a second. */
async function longestWait({ write, end }) {
  const marks = [];
  let bytes = 0;
  let longest = 0;
  let count = 0;
  const begun = performance.now();
  for (let now = begun; now - begun < 1_500; now = performance.now()) {
    for (; count < (now - begun) * 10; count++) {
      const text = line(count);
      bytes += text.length;
      await write(text);
    }
    marks.push({ bytes, at: now });
    await turn();
    const { size } = statSync(join(directory, 'a.log'));
    while (marks.length > 0 && marks[0].bytes <= size) {
      longest = Math.max(longest, performance.now() - marks.shift().at);
    }
  }
  if (marks.length > 0) longest = Math.max(longest, performance.now() - marks[0].at);
  await end();
  return { longestWaitMs: longest };
}

try {
  const writer = await WRITERS[name].open(directory, bundle);
  const result = mode === 'wait' ? await longestWait(writer) : await throughput(writer);
  console.log(JSON.stringify(result));
} finally {
  rmSync(directory, { recursive: true });
}
