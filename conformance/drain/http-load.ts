import { Agent, request } from 'node:http';
import type { Client } from './load.js';

const WORKERS = 64;
const UPLOAD = JSON.stringify({ text: 'x'.repeat(20_000) });

/** Clients that make keep-alive requests; nothing is retried. */
export function httpClients(port: number): readonly Client[] {
  return Array.from({ length: WORKERS }, () => asking(port));
}

/** One client with one connection, which asks, waits for the answer, thinks and asks again. */
function asking(port: number): Client {
  return async (tally, stop, think) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stop.aborted) {
      const dice = Math.random();
      const path = dice < 0.1 ? '/slow' : dice < 0.2 ? '/upload' : '/now';
      const expected = path === '/slow' ? 'slow' : path === '/upload' ? '20000' : 'now';
      await tally.request(path, expected, exchange(port, agent, path));
      await think();
    }
    agent.destroy();
  };
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
