import { setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import type { Client } from './load.js';

const STREAMS = 10;

/** Clients that hold an event stream or a WebSocket open. */
export function streamClients(port: number): readonly Client[] {
  return Array.from({ length: STREAMS }, () => [
    following('events', (stop) => followEvents(port, stop)),
    following('websocket', (stop) => followWebSocket(port, stop)),
  ]).flat();
}

/** Opens a stream, again and again; `follow` resolves with how each ended. */
export function following(kind: string, follow: (stop: AbortSignal) => Promise<string>): Client {
  return async (tally, stop) => {
    // One listener for each connection that a stream ever had.
    setMaxListeners(0, stop);
    while (!stop.aborted) tally.stream(kind, await follow(stop));
  };
}

/** Server-sent events, which have to end properly. */
function followEvents(port: number, stop: AbortSignal): Promise<string> {
  return new Promise<string>((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/events', agent: false }, (response) => {
      let events = 0;
      response.on('data', () => events++);
      response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
      response.on('end', () => resolve(events > 0 ? 'told to go' : 'no event'));
    });
    stop.addEventListener('abort', () => (resolve('done'), sent.destroy()), { once: true });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

/** A WebSocket, which has to be closed with code 1001, or 1012 where another process takes the place. */
function followWebSocket(port: number, stop: AbortSignal): Promise<string> {
  return new Promise<string>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', (code) =>
      resolve(code === 1001 || code === 1012 ? 'told to go' : `closed with ${code}`),
    );
    stop.addEventListener('abort', () => (resolve('done'), socket.terminate()), { once: true });
  });
}
