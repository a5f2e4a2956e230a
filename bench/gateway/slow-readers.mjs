import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, ended, rssOf, start } from './processes.mjs';

const READERS = 1_000;
/** Of which each asks for 4 MB, and reads no more than what has come until its turn. */
const MESSAGES = 4_000;
const BYTES = 1_000;
const CALLS = 300;
/** Readers that wake up at the end and read all of it. */
const FINISHED = 20;

/** Begins a stream of 4 MB, and stops when its first bytes have come. */
async function slowReader(path) {
  const socket = connect(path);
  socket.on('error', () => {});
  const target = `/v1/count?to=${MESSAGES}&padding=${BYTES}`;
  socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** Resolves once a process has next to nothing to do, or a minute is over. */
async function rest(child) {
  for (let second = 0; second < 60; second += 1) {
    const before = cpuOf(child);
    await sleep(1_000);
    if (cpuOf(child) - before < 0.05) return;
  }
}

/** Milliseconds that 99 of 100 calls take at most, one after the other. */
async function p99(port) {
  const times = [];
  for (let n = 0; n < CALLS; n += 1) {
    const begun = performance.now();
    const res = await new Promise((resolve, reject) =>
      get({ host: '127.0.0.1', port, path: '/v1/count?to=1' }, resolve).once('error', reject),
    );
    res.resume();
    await once(res, 'end');
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(CALLS * 0.99)];
}

/** Reads what is left of a stream; gives whether all of its messages came. */
async function finish(socket) {
  let text = '';
  socket.setEncoding('latin1');
  for await (const part of socket) text = (text + part).slice(-BYTES * 2);
  return text.includes(`"${MESSAGES}"`) || text.includes(`:${MESSAGES}`);
}

/** What 1,000 readers that do not read do to a gateway, and to a call of somebody else. */
export async function slowReaders(folder, env, transport) {
  const file = join(folder, 'stream.mjs');
  const path = join(folder, `${transport.replace(/\W/g, '-')}.sock`);
  const backend = await start(file, { ...env, ROLE: 'backend' });
  const front = await start(file, {
    ...env,
    BACKEND: `127.0.0.1:${backend.port}`,
    SOCKET: path,
    STACK: transport === 'node:http2' ? 'http2' : 'grpc-js',
  });
  const sockets = [];
  try {
    await p99(front.port);
    const alone = await p99(front.port);
    const before = rssOf(front.child);
    for (let n = 0; n < READERS; n += 50) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => slowReader(path)))));
    }
    await rest(front.child);
    const held = rssOf(front.child);
    const beside = await p99(front.port);
    await rest(front.child);
    const later = rssOf(front.child);
    const all = await Promise.all(sockets.slice(0, FINISHED).map(finish));
    return {
      alone,
      beside,
      before,
      held,
      later,
      finished: all.filter(Boolean).length,
      of: FINISHED,
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    for (const { child } of [front, backend]) child.kill('SIGTERM');
    await Promise.all([front, backend].map(({ child }) => ended(child)));
  }
}
