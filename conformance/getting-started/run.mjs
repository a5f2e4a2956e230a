// Follows docs/getting-started.md in an empty folder: writes its files, runs its commands as they
// stand, with the packed packages, and compares what they print. Expects `npm run build`.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startRegistry } from '../packages/registry.mjs';

const MOST_STEPS = 10;
const MOST_LINES = 60;
const STEP = /(?:^[^\n]*`([^`\n]+)`[^\n]*:\n\n)?^```(\w+)\n([^]*?)^```$/gm;

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const page = await readFile(join(root, 'docs', 'getting-started.md'), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'apix-getting-started-'));
const registry = await startRegistry();
await writeFile(join(folder, '.npmrc'), registry.npmrc);
const env = { ...process.env, NODE_OPTIONS: '' };
const begun = performance.now();
let app;
let printed = '';
let userLines = 0;

const steps = page.match(/^## \d+\./gm).length;
if (steps > MOST_STEPS) throw new Error(`${steps} steps; ${MOST_STEPS} are allowed`);
try {
  for (const [, file, language, text] of page.matchAll(STEP)) {
    if (language === 'sh') await shell(text);
    else if (language === 'console') await dialogue(text);
    else if (language === 'text') expectIn(printed, text);
    else await write(file, text);
  }
  if (userLines > MOST_LINES)
    throw new Error(`${userLines} lines of code; ${MOST_LINES} are allowed`);
  await stop();
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(
    `${steps} steps, ${userLines} lines of code, ${seconds} s: the page does what it says`,
  );
} catch (error) {
  console.error(app?.output ?? printed);
  throw error;
} finally {
  app?.child.kill('SIGKILL');
  registry.close();
  await rm(folder, { recursive: true });
}

async function write(file, text) {
  const target = join(folder, file);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  if (/\.(ts|proto)$/.test(file))
    userLines += text.split('\n').filter((line) => line.trim()).length;
  console.log(`wrote ${file}`);
}

async function shell(script) {
  process.stdout.write(
    script
      .replaceAll(/^/gm, '$ ')
      .trimEnd()
      .replace(/\n\$ $/, '') + '\n',
  );
  if (script.trim() === 'npm start') return start();
  const { stdout } = await run('sh', ['-ec', script], { cwd: folder, env });
  printed = stdout;
}

/** The one command that stays: it is up when its port answers. */
async function start() {
  const other = await fetch('http://localhost:3000/').catch(() => undefined);
  if (other) throw new Error(`port 3000, which the page takes, is taken: status ${other.status}`);
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true });
  app = { child, output: '', ended: new Promise((resolve) => child.on('close', resolve)) };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => (app.output += data));
  }
  const early = app.ended.then(() => Promise.reject(new Error('npm start ended')));
  await Promise.race([early, answers('http://localhost:3000/')]);
}

async function answers(url) {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function dialogue(text) {
  const [, ...exchanges] = text.split(/^\$ /m);
  for (const exchange of exchanges) {
    const [command, ...wanted] = exchange.split('\n');
    console.log(`$ ${command}`);
    const { stdout } = await run('sh', ['-ec', command], { cwd: folder });
    expectIn(stdout.trim(), wanted.join('\n').trim());
  }
}

/** Ctrl-C reaches the whole process group. */
async function stop() {
  process.kill(-app.child.pid, 'SIGINT');
  await app.ended;
  // An event may be written after the answer it tells of, but not after the stop.
  const requests = app.output.split('\n').filter((line) => line.includes('/v1/greetings/Bob'));
  if (requests.length !== 3) throw new Error(`${requests.length} events for 3 requests`);
  const [, denied] = requests.map((line) => JSON.parse(line));
  const { subject, denied: reason, requires } = denied;
  expectIn(page, `subject=${subject} denied=${reason} requires="${requires}"`);
  // npm ends by the signal; what the app did shows in its last line.
  if (!app.output.includes('Host is stopped'))
    throw new Error('Ctrl-C did not stop the app in order');
}

function expectIn(actual, wanted) {
  if (!actual.includes(wanted.trim())) throw new Error(`wanted\n${wanted}\ngot\n${actual}`);
  console.log(wanted.trim());
}
