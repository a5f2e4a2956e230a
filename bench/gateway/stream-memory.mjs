import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, rssOf, start } from './processes.mjs';

const WARM = 50_000;
const MESSAGES = 100_000;
const BYTES = 1_000;
/** The reader stops that long after every so many messages: the rest must wait at the server. */
const PAUSE_MS = 200;
const PAUSE_EVERY = 20_000;

/** Reads a stream with pauses; gives the messages a second outside of them. */
async function read(port, count) {
  const path = `/v1/count?to=${count}&padding=${BYTES}`;
  const res = await new Promise((resolve, reject) =>
    get({ host: '127.0.0.1', port, path, agent: false }, resolve).once('error', reject),
  );
  const begun = performance.now();
  let lines = 0;
  let paused = 0;
  for await (const chunk of res) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      lines += 1;
      if (lines % PAUSE_EVERY === 0) {
        await sleep(PAUSE_MS);
        paused += PAUSE_MS;
      }
    }
  }
  if (lines !== count) throw new Error(`${lines} of ${count} messages came`);
  return count / ((performance.now() - begun - paused) / 1_000);
}

/** What a long stream does to the memory of the process of the gateway. */
export async function streamMemory(folder, env, transport) {
  const file = join(folder, 'stream.mjs');
  const children = [];
  const begin = async (more) => {
    const started = await start(file, { ...env, ...more });
    children.push(started.child);
    return started;
  };
  try {
    const backend = transport === 'in-process' ? undefined : await begin({ ROLE: 'backend' });
    const front = await begin(
      backend && {
        BACKEND: `127.0.0.1:${backend.port}`,
        STACK: transport === 'node:http2' ? 'http2' : 'grpc-js',
      },
    );
    await read(front.port, WARM);
    const before = rssOf(front.child);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, rssOf(front.child))), 20);
    const perSecond = await read(front.port, MESSAGES);
    clearInterval(watch);
    return { perSecond, before, peak, megabytes: (MESSAGES * BYTES) / 2 ** 20 };
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
  }
}
