import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Load } from './load.js';
import { Tally } from './tally.js';

const WORKERS = 64;
const STREAMS = 10;
const THINK_MS = 40;
const UPLOAD = JSON.stringify({ text: 'x'.repeat(20_000) });

/** Keep-alive requests, and streams where asked for, against one port; nothing is retried. */
export function httpLoad(port: number, withStreams: boolean): Load {
  const tally = new Tally();
  const stop = new AbortController();
  // One listener for each connection that a stream ever had.
  setMaxListeners(0, stop.signal);
  const workers = Array.from({ length: WORKERS }, () => ask(port, tally, stop.signal));
  const streams = withStreams
    ? Array.from({ length: STREAMS }, () => [
        followEvents(port, tally, stop.signal),
        followWebSocket(port, tally, stop.signal),
      ]).flat()
    : [];
  return {
    tally,
    async finish() {
      stop.abort();
      await Promise.all([...workers, ...streams]);
    },
  };
}

/** One client with one connection, which asks, waits for the answer, thinks and asks again. */
async function ask(port: number, tally: Tally, stop: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!stop.aborted) {
    const dice = Math.random();
    const path = dice < 0.1 ? '/slow' : dice < 0.2 ? '/upload' : '/now';
    const expected = path === '/slow' ? 'slow' : path === '/upload' ? '20000' : 'now';
    const answer = await exchange(port, agent, path);
    if (answer === expected) tally.answered++;
    else tally.fail(`${path}: ${answer}`);
    await sleep(Math.random() * THINK_MS);
  }
  agent.destroy();
}

/** Resolves with the body of a 2xx, or with what went wrong. */
function exchange(port: number, agent: Agent, path: string): Promise<string> {
  const upload = path === '/upload';
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        agent,
        method: upload ? 'POST' : 'GET',
        headers: upload
          ? { 'content-type': 'application/json', 'content-length': UPLOAD.length }
          : {},
      },
      (response) => {
        let body = '';
        response.on('data', (data: Buffer) => (body += data.toString()));
        response.on('end', () => {
          const { statusCode = 0 } = response;
          resolve(statusCode >= 200 && statusCode < 300 ? body : `status ${statusCode}`);
        });
        response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    if (!upload) return void sent.end();
    // In two halves, so that some are under way when an instance stops.
    sent.write(UPLOAD.slice(0, 10_000));
    setTimeout(() => sent.end(UPLOAD.slice(10_000)), 5);
  });
}

/** Server-sent events: connects again whenever the stream has ended properly. */
async function followEvents(port: number, tally: Tally, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const ended = await new Promise<string>((resolve) => {
      const sent = request(
        { port, host: '127.0.0.1', path: '/events', agent: false },
        (response) => {
          let events = 0;
          response.on('data', () => events++);
          response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
          response.on('end', () => resolve(events > 0 ? 'told to go' : 'no event'));
        },
      );
      stop.addEventListener('abort', () => (resolve('done'), sent.destroy()), { once: true });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end();
    });
    tally.stream('events', ended);
  }
}

/** A WebSocket: connects again whenever it was closed with code 1001. */
async function followWebSocket(port: number, tally: Tally, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const ended = await new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      socket.on('error', (error) => resolve(error.message));
      socket.on('close', (code) => resolve(code === 1001 ? 'told to go' : `closed with ${code}`));
      stop.addEventListener('abort', () => (resolve('done'), socket.terminate()), { once: true });
    });
    tally.stream('websocket', ended);
  }
}
