// Kills holders of the single-instance lock with SIGKILL, again and again, among contenders:
// never two holders at a time, never a lock that nobody gets.
//   node conformance/lock/run.mjs [kills, 1000] [contenders, 20]
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const KILLS = Number(process.argv[2] ?? 1_000);
const CONTENDERS = Number(process.argv[3] ?? 20);
/** Longer than that nobody may wait for a lock whose holder is dead. */
const STUCK_MS = 10_000;

const root = join(import.meta.dirname, '..', '..');
const folder = await mkdtemp(join(root, 'node_modules', '.lock-'));
const script = join(folder, 'contender.mjs');
await build({
  entryPoints: [join(import.meta.dirname, 'contender.ts')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['koffi'],
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'error',
});

const problems = [];
const contenders = new Set();
let holder = null;
let onHeld = () => {};

function addContender() {
  const child = fork(script, [join(folder, 'run.lock')]);
  contenders.add(child);
  child.on('message', () => {
    if (holder !== null) problems.push(`${child.pid} got the lock while ${holder.pid} held it`);
    holder = child;
    onHeld();
  });
  child.on('exit', () => contenders.delete(child));
}

async function nextHolder() {
  if (holder !== null) return holder;
  const got = new Promise((resolve) => (onHeld = resolve));
  const isStuck = await Promise.race([
    got.then(() => false),
    sleep(STUCK_MS, true, { ref: false }),
  ]);
  if (isStuck) throw new Error(`nobody got the lock within ${STUCK_MS} ms of its holder's death`);
  return holder;
}

const waits = [];
try {
  for (let count = 0; count < CONTENDERS; count++) addContender();
  for (let kill = 0; kill < KILLS; kill++) {
    const begun = performance.now();
    const victim = await nextHolder();
    if (kill > 0) waits.push(performance.now() - begun);
    await sleep(Math.random() * 20);
    // From here on the lock is free: the kernel gives it back before anybody can see the end.
    holder = null;
    victim.kill('SIGKILL');
    addContender();
  }
} catch (error) {
  problems.push(error.message);
} finally {
  for (const child of contenders) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
}

waits.sort((a, b) => a - b);
const at = (share) => waits[Math.floor((waits.length - 1) * share)]?.toFixed(1) ?? '-';
console.log(`${KILLS} holders of ${CONTENDERS} contenders killed`);
console.log(`from death to the next holder: median ${at(0.5)} ms, longest ${at(1)} ms`);
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(problems.length === 0 ? 'never two holders, never a stuck lock' : 'FAILED');
process.exitCode = problems.length === 0 ? 0 : 1;
