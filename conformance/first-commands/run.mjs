// Runs the first commands of the README as they stand, in a new clone of the last commit, with an empty cache of npm and
// nothing of this environment, and says how long each takes: `npm run conformance:first-commands`.
//   --quick  until the demo answers, without all tests
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');
const [, block] = /^```sh\n([^]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'));
const [start, test] = block.trim().split('\n');
if (!/ npm start\b/.test(start) || !/ npm test\b/.test(test)) {
  throw new Error(`the README begins with other commands:\n${block}`);
}

const folder = mkdtempSync(join(tmpdir(), 'apix-first-'));
const clone = join(folder, 'apix');
const [port, grpcPort] = [await freePort(), await freePort()];
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  PORT: String(port),
  GRPC_PORT: String(grpcPort),
};
try {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  await timed(start, untilItAnswers);
  if (!process.argv.includes('--quick')) await timed(test, untilItEnds);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function timed(command, until) {
  console.log(`$ ${command}`);
  const begun = performance.now();
  // In a group of its own, to stop it with all that it has started.
  const child = spawn('sh', ['-c', command], { cwd: clone, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const ended = once(child, 'close').then(([code]) => code);
  try {
    console.log(`${await until(ended)}, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  } catch (error) {
    console.error(output.slice(-5_000));
    throw error;
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}

async function untilItAnswers(ended) {
  const early = ended.then((code) => Promise.reject(new Error(`it ended with ${code}`)));
  const answer = await Promise.race([early, answerOf(`http://127.0.0.1:${port}/`)]);
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
  return 'the demo answers';
}

async function untilItEnds(ended) {
  const code = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return 'all tests passed';
}

async function answerOf(url) {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await sleep(50);
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}
